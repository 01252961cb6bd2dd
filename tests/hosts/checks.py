"""What the scripts of all hosts share: the plugin's path, a tone, and a line for each thing measured."""

import math
import os
import sys

import numpy

PLUGIN = sys.argv[1]
# Whether there is a helper, the program that serves sessions.
HELPER = "DESKHAND_HELPER" in os.environ
LONG = os.environ.get("DESKHAND_LONG") == "1"
_wrong = 0


def check(host, what, figure, holds):
    """One line: `ok` or `WRONG`, the host, what was looked at, the figure."""
    global _wrong
    _wrong += not holds
    print(f"   {'ok   ' if holds else 'WRONG'} {host:<11} {what:<58} {figure}", flush=True)


def done():
    sys.exit(1 if _wrong else 0)


def tone(rate=48_000, seconds=1.0, level=0.25, hz=997.0):
    """A stereo sine, channels first."""
    time = numpy.arange(int(rate * seconds)) / rate
    side = (level * numpy.sin(2 * math.pi * hz * time)).astype(numpy.float32)
    return numpy.stack([side, side])


def level_db(audio, rate):
    """Root of the mean square behind the first tenth of a second, in dB."""
    settled = audio[:, int(rate * 0.1):]
    power = float(numpy.mean(numpy.square(settled.astype(numpy.float64))))
    return 10 * math.log10(power) if power > 0 else -math.inf
