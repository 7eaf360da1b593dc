# IPython's own lines are left out.
%matplotlib widget
!pip install nothing
x = !ls
%cd /
import numpy as np
?np
np.maximum?


def relu(x):
    return np.maximum(x, 0)
