"""Signatures of what a conversation wrote, without the bodies. The only room that knows tree-sitter."""

from wrapgen.tracks.skeleton.final import interfaces

__all__ = ["interfaces"]
