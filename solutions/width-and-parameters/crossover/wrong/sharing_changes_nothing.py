# status: values
# points: 2
# mistake: mistake0
n_xl, n_llama3, n_unshared = 3200, 16384, 16384
