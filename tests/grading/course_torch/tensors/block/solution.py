import torch


class Block(torch.nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.up = torch.nn.Linear(d_model, d_ff)
        self.down = torch.nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.down(torch.relu(self.up(x)))
