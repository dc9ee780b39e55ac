"""Verbs of the tests' own, beside the real ones: what the frame of the command line does is seen on them."""
