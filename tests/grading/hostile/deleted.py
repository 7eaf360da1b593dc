# Nothing there.
# the cell is gone
