"""Coding agents that run wrapgen: what stands in their settings, and being a guest there. See `install`."""
