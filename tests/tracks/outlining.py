"""Short ways to outline a piece of code."""

from wrapgen.tracks.skeleton.outline import ReadingTime, outline


def entries(language, code):
    return outline(code, language, ReadingTime(60))


def lines(language, code):
    return [line for entry in entries(language, code) for line in entry.lines]


def bare(language, code):
    return [line for entry in entries(language, code) for line in entry.bare]
