"""Fault injection over every write that the program makes: see `python -m tests.faults --help`."""
