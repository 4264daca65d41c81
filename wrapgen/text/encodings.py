"""Whether a file is text in UTF-8, or in another form of which nothing can be read. PURE."""

import codecs

# UTF-32 begins as UTF-16 does, or with two NULs.
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
_LOOK = 4_000  # bytes
_MOST = 0.8  # of every other byte: then they are the upper halves of letters


def other_form(data: bytes) -> str:
    """What a file is that holds no text in UTF-8, as "UTF-16"; "" for text, if with some bytes that are none.

    A NUL alone says nothing: a crash can leave some behind a note.
    """
    if data.startswith(_MARKS):
        return "UTF-16"
    look = data[:_LOOK]
    if b"\0" not in look:
        return ""
    low, high = look[::2], look[1::2]
    for one, other in ((low, high), (high, low)):
        if one.count(0) > _MOST * len(one) and other.count(0) < (1 - _MOST) * len(other):
            return "UTF-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(look)
    except UnicodeDecodeError:
        return "no text"
    return ""
