"""A program that reads conversations: its input, how it is run, and its allowed answers (spec 3.6)."""

FOLDER_PREFIX = "wrapgen-reader-"
"""Prefix of a reader's own session folder, so that its session is never mistaken for a user's."""
