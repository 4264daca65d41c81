"""Coding agents that run wrapgen: what is in their settings, and being a guest there. See `install`."""
