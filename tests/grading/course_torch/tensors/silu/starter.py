import torch


def silu(x): ...
