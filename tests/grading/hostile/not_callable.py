# A number in place of a function.
relu = 3
