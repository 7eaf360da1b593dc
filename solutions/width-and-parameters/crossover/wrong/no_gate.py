# status: values
# points: 1
# mistake: mistake2
n_xl, n_llama3, n_unshared = 3200, 9216, 6144
