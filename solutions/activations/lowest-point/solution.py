from scipy.optimize import minimize_scalar
from scipy.special import expit

silu_bottom = minimize_scalar(lambda u: u * expit(u), bounds=(-3, 0), method="bounded", options={"xatol": 1e-10})

x_low = silu_bottom.x / 1.702
f_low = silu_bottom.fun / 1.702
