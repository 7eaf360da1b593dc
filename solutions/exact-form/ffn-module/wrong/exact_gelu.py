# status: values
# points: 2
# mistake: exact
from torch import nn


class FFN(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up, self.act, self.down = nn.Linear(d_model, d_ff), nn.GELU(), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.down(self.act(self.up(x)))
