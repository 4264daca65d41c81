"""A program that reads conversations: what it is sent, how it is run, and what it may answer (spec 3.6)."""
