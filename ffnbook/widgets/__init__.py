"""The live widgets: an `anywidget` class and one front-end module (`.mjs`) each.

The module draws *and* computes, so the same file lives on the static page (`site/static/host.mjs`), in
JupyterLab, Colab and VS Code, with or without a kernel. A front-end module must be a single text without
imports, so Python builds it: the files it shares with others (`controls.mjs`, `activations.mjs`) first, then its own.
"""

from ffnbook.widgets.activation_explorer import ActivationExplorer
from ffnbook.widgets.ffn_by_hand import FFNByHand
from ffnbook.widgets.parameter_split import ParameterSplit

__all__ = ["ActivationExplorer", "FFNByHand", "ParameterSplit"]
