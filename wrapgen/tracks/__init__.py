"""Hot and cold track: what survives when the host compacts a conversation."""
