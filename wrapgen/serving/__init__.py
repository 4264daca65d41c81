"""The page over HTTP, for the browsers of this machine alone."""
