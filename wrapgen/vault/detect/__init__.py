"""How somebody else keeps their notes: told by the settings of their tools, else by looking."""
