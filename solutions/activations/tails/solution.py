from scipy.special import expit, ndtr

x = -6.0
let_through = {"ReLU": 0.0, "GELU": -x * ndtr(x), "SiLU": -x * expit(x), "Swish 1/2": -x * expit(x / 2)}
assert sorted(let_through, key=let_through.get) == ["ReLU", "GELU", "SiLU", "Swish 1/2"]

order = "b"
reason = "c"
