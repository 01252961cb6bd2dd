"""A line for each thing that a script measured."""

import sys

_wrong = 0


def check(host, what, figure, holds):
    """One line: `ok` or `WRONG`, the host, what was looked at, the figure."""
    global _wrong
    _wrong += not holds
    print(f"   {'ok   ' if holds else 'WRONG'} {host:<11} {what:<58} {figure}", flush=True)


def done():
    sys.exit(1 if _wrong else 0)
