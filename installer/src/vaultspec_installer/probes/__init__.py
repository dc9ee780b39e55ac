"""The questions of the doctor, one file each. A file that exports `PROBE` is one; the folder is the registry."""
