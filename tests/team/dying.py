"""Runs the command line and is killed at the nth call of a function."""

import os
import signal
import sys
from importlib import import_module

from wrapgen.cli import run


def dying(point, *words):
    """Run it; `point` is MODULE:NAME:before|after:N."""
    module, name, when, left = point.split(":")
    left = int(left)
    holder = import_module(module)
    *classes, name = name.split(".")
    for one in classes:
        holder = getattr(holder, one)
    whole = getattr(holder, name)

    def dies(*args, **options):
        nonlocal left
        left -= 1
        if when == "before" and not left:
            os.kill(os.getpid(), signal.SIGKILL)
        answer = whole(*args, **options)
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    setattr(holder, name, dies)
    sys.exit(run(list(words)))
