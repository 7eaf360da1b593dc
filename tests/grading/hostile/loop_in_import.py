# A module that is not there.
from tomorrow import relu
