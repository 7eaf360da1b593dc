# status: values
# points: 0
# mistake: nothing_stored
from torch import nn
from torch.nn import functional as F


class FFN(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.layers = [nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)]

    def forward(self, x):
        up, down = self.layers
        return down(F.gelu(up(x), approximate="tanh"))
