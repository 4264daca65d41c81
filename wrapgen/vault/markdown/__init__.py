"""Text to document and back to safe text. PURE; the only room that knows markdown-it."""
