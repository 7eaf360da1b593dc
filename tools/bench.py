"""What the book costs its author and its readers, beside a stock Jupyter Book of the same chapters in the same run.

    python tools/bench.py [--skip build] [--skip page] [--skip lighthouse] [--pages es/index.html …]

Prints one line per budget.  Lighthouse needs Node and npm (tools/lighthouse).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(ROOT / "tools")]

import bench_build  # noqa: E402
import bench_lighthouse  # noqa: E402
import bench_page  # noqa: E402

PARTS = ("build", "page", "lighthouse")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--skip", action="append", default=[], choices=PARTS)
    parser.add_argument("--pages", nargs="*", help="measure these with Lighthouse; all pages where none is named")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ffnbook-bench-") as scratch:
        books = bench_build.Books(Path(scratch))
        missed = [] if "build" in chosen.skip else list(rows(bench_build.measure(books)))
        missed += [] if "page" in chosen.skip else list(rows(bench_page.measure(books)))
        missed += [] if "lighthouse" in chosen.skip else list(rows(bench_lighthouse.measure(books.site(), chosen.pages)))
    print(f"\n{len(missed)} budgets missed" + "".join(f"\n  {what}" for what in missed))
    return 1 if missed else 0


def rows(found):
    """Print each (what, value, budget, kept, remark) as it comes; yield what missed its budget."""
    for what, value, budget, kept, remark in found:
        print(f"{'ok  ' if kept else 'MISS'}  {what:<58} {value:>14}   budget {budget:<10} {remark}", flush=True)
        if not kept:
            yield what


if __name__ == "__main__":
    sys.exit(main())
