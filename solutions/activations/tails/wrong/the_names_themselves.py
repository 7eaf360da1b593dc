# status: dtype
# points: 1
order, reason = ["relu", "gelu", "silu", "swish"], "c"
