"""``python -m ffnbook``."""

from ffnbook.cli import main

main()
