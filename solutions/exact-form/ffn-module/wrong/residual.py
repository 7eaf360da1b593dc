# status: values
# points: 2
# mistake: residual
from torch import nn
from torch.nn import functional as F


class FFN(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return x + self.down(F.gelu(self.up(x), approximate="tanh"))
