"""What the verbs of the vault do, one module per group; each function takes a Call and gives a Report."""
