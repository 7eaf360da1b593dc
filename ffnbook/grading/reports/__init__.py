"""Results written for teachers, learners and other programs, one result at a time."""
