# status: shape
# points: 4
from torch import nn
from torch.nn import functional as F


class FFN(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.d_model = d_model
        self.up, self.down = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.down(F.gelu(self.up(x.reshape(-1, self.d_model)), approximate="tanh"))
