# status: values
# points: 1
# mistake: mistake0
n_xl, n_llama3, n_unshared = 3200, 8192, 8192
