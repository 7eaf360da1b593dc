"""Figures of the book, one module per chapter topic; each function returns a matplotlib Figure."""
