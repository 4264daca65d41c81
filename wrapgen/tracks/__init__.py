"""Hot and cold track: what of a conversation lasts when the host folds it."""
