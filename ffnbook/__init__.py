"""The library behind *Inside the FFN · La FFN por dentro*."""

__version__ = "0.1.0"
