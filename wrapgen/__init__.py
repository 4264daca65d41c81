"""wrapgen: nothing a coding session leaves behind gets lost."""

__version__ = "0.1.0"
