# status: values
# points: 0
# mistake: mistake0
n_xl, n_llama3, n_unshared = 6400, 32768, 26624
