import numpy as np

W1, W2 = np.zeros((2048, 512)), np.zeros((512, 2048))
X = np.zeros((4, 10, 512))

n_rows = W1.shape[0]
n_hidden = (X @ W1.T).size
n_output = (X @ W1.T @ W2.T).size
factor = 1
