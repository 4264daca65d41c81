"""Signatures of what a conversation wrote, without the bodies. The only room that knows tree-sitter."""
