"""How a command's help looks."""


def examples(*lines: str) -> str:
    """The closing part of a command's help.

    Args:
        lines: commands as one would type them.
    """
    # \b alone on a line tells click to leave the line breaks of the paragraph as they are.
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
