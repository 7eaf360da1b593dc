# status: values
# points: 2
# mistake: mistake4
n_xl, n_llama3, n_unshared = 3200, 65536, 13312
