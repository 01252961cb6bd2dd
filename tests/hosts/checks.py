"""What the scripts of both hosts of the plugin share: its path, a tone, and the measurements that both make."""

import math
import os
import pathlib
import sys
import time

import numpy

from rows import check

PLUGIN = sys.argv[1]
# Whether there is a helper, the program that serves sessions.
HELPER = "DESKHAND_HELPER" in os.environ
LONG = os.environ.get("DESKHAND_LONG") == "1"


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


# Every change of trim takes 10 ms. These measurements play at 48 kHz.
GLIDE = 480


def glided(decibels):
    """The factor at each frame. Trim gets a value in dB at each frame and goes to it in a line of `GLIDE` frames."""
    goals = 10 ** (numpy.round(decibels, 3) / 20)
    goal, step, left, factors = goals[0], 0.0, 0, []
    for wanted in goals:
        if wanted != goal:
            goal, step, left = wanted, (wanted - goal + step * left) / GLIDE, GLIDE
        left = max(0, left - 1)
        factors.append(goal - step * left)
    return numpy.array(factors)


def automation(host, play):
    """`play(drawn, size)` gives the factor heard at each frame. Trim follows the curve `drawn`, a value in dB for each
    frame, in blocks of `size`. The host sends one value a block: that of the block's first frame."""
    frames, sizes = numpy.arange(48_000), [1, 17, 64, 480, 2027, 8192]
    step = numpy.where(frames < 10_000, 0.0, -12.0)
    begins = [int(numpy.argmax(play(step, size) != 1)) for size in sizes]
    blocks = [-(-10_000 // size) * size for size in sizes]
    figure = " ".join(map(str, begins))
    check(host, "trim step at 10,000: heard from, blocks of 1 to 8192", figure, begins == blocks)
    ramp = -12.0 * numpy.clip((frames - 12_000) / 25_000, 0, 1)
    heard = {size: play(ramp, size) for size in sizes}
    sent = {size: glided(ramp[frames // size * size]) for size in sizes}
    worst = 20 * math.log10(max(numpy.abs(heard[size] - sent[size]).max() for size in sizes))
    check(host, "trim ramp: off what the host sends, one value a block", f"{worst:.0f} dBFS", worst < -100)
    off = numpy.abs(20 * numpy.log10(heard[1]) - ramp).max()
    check(host, "trim ramp of 23 dB/s in blocks of 1: off the drawn curve", f"{off:.2f} dB", off < 0.3)


def no_numbers(host, play):
    """`play(sound)` gives what is heard of `sound` behind a low cut."""
    sound = tone()
    sound[0, 10_000:10_100] = numpy.nan
    heard = play(sound)
    bad, after = (int((~numpy.isfinite(side)).sum()) for side in [heard[1], heard[0, 10_100:]])
    check(host, "NaN on the left: bad samples on the right, left after it", f"{bad}, {after}", bad == after == 0)


def denormals(host, play):
    """`play(sound)` gives what is heard of `sound` behind a low cut."""
    least = dict.fromkeys([0.25, 1e-40], math.inf)
    for _ in range(5):  # the least of five: other work on the machine only adds time
        for level in least:
            sound = numpy.full((2, 480_000), level, dtype=numpy.float32)
            start = time.thread_time()
            play(sound)
            least[level] = min(least[level], time.thread_time() - start)
    ratio = least[1e-40] / least[0.25]
    check(host, "denormal input: CPU time, against ordinary input", f"{ratio:.2f}", ratio < 1.3)
    ended = numpy.concatenate([tone(hz=100.0), numpy.zeros((2, 96_000), dtype=numpy.float32)], axis=1)
    tail = int(numpy.count_nonzero(play(ended)[:, 96_000:]))
    check(host, "low cut, a second after the sound ends: samples not 0", tail, tail == 0)


def only_plays(host, play, keep):
    """`play()` makes no session. `keep()` makes one: so the helper is able to."""

    def sessions(deed, times):
        for _ in range(times):
            deed()
            time.sleep(0.025)
        time.sleep(2)
        return len(list(pathlib.Path(os.environ["HOME"]).rglob("session.db")))

    count = sessions(play, 40)
    check(host, "sessions on disk while the host only plays", count, count == 0)
    if HELPER:
        count = sessions(keep, 1)
        check(host, "sessions on disk once there is something to keep or play", count, count == 1)
