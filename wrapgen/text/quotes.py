"""Quotes in the form in which they are looked up. PURE.

White space, Markdown marks, case, and the forms that NFKC makes one are ignored.
"""

import re

from wrapgen.text.scripts import has_cjk
from wrapgen.text.words import Folded

SHORTEST = 4
"""Minimum characters of a quote, marks and white space aside; shorter ones occur everywhere."""
_SHORTEST_HAN = 2
UNSEEN = re.compile(r"[\s*_`#>|~\[\]\\\u200b-\u200d\ufeff]+")
"""What a quote that was copied from a rendered page may lack."""


def quote_form(text: str) -> str:
    """A quote, or a text that may hold it, as they are compared."""
    return UNSEEN.sub("", Folded(text).text)


def too_short(form: str) -> bool:
    """Whether too few characters remain of a quote to prove anything."""
    return len(form) < (_SHORTEST_HAN if has_cjk(form) else SHORTEST)
