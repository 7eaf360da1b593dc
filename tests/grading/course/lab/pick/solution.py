who = "b"
