"""The pages' sources as the checks, the notebooks and the build see them, read without Sphinx."""
