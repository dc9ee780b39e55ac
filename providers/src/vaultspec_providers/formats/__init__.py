"""The kinds of host file: how servers stand in them and how one is spliced in, changed or taken out."""
