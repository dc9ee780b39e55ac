"""What the verbs of the installer do, one module per group; each function takes a Call and gives a Report."""
