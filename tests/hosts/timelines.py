"""What the checks of exported timelines share: the session as `deskhand show --json` tells it, the frame rates, and the
comparison of both sides. xtask gives a folder with the session and with what Deskhand exported of it."""

import json
import pathlib
import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from urllib.parse import unquote, urlsplit

FOLDER = pathlib.Path(sys.argv[1])


@dataclass(frozen=True)
class Rate:
    """How timecode counts. `file` begins the names of the exported files."""

    file: str
    exact: Fraction
    labels: int
    is_drop: bool
    start: int  # the frame of picture of 01:00:00:00

    def nearest(self, samples):
        """The frame of picture nearest to a position of audio."""
        return nearest(samples * self.exact / SAMPLES)

    def samples(self, frame):
        """The position of audio nearest to a frame of picture."""
        return nearest(Fraction(frame * SAMPLES) / self.exact)

    def name(self):
        return self.file.replace("-", " ")


RATES = [
    Rate("25", Fraction(25), 25, False, 90_000),
    Rate("29.97-drop", Fraction(30_000, 1_001), 30, True, 107_892),
    Rate("24", Fraction(24), 24, False, 86_400),
]


def nearest(number):
    return (2 * number + 1) // 2


@dataclass(frozen=True)
class Clip:
    """A clip of the session. Fades are a length and a curve, or (0, None)."""

    track: str
    name: str
    position: int
    length: int
    start: int
    gain: float
    fade_in: tuple
    fade_out: tuple
    mute: bool
    source: dict

    @property
    def end(self):
        return self.position + self.length

    def on_picture(self, rate):
        """First frame of picture, the frame after it, and the first sample in the file. An edge moves to the nearest
        frame, but not to one where the file has no audio."""
        moved = lambda frame: self.start + rate.samples(frame) - self.position
        first, end = rate.nearest(self.position), rate.nearest(self.end)
        first += moved(first) < 0
        end -= moved(end) > self.source["frames"]
        return first, end, moved(first)


def _fade(fade):
    return (fade["length"], fade["curve"]) if fade["length"] else (0, None)


def _clip(clip):
    return Clip(
        track=TRACKS[clip["track"]]["name"],
        name=clip["name"],
        position=clip["position"],
        length=clip["length"],
        start=clip["start"],
        gain=clip["gain"],
        fade_in=_fade(clip["fade_in"]),
        fade_out=_fade(clip["fade_out"]),
        mute=clip.get("mute", False),
        source=SOURCES[clip["source"]],
    )


SESSION = json.loads((FOLDER / "session.json").read_text())
SAMPLES = SESSION["sample_rate"]
TRACKS = {track["id"]: track for track in SESSION["tracks"]}
SOURCES = {source["id"]: source for source in SESSION["sources"]}
CLIPS = [_clip(clip) for clip in SESSION["clips"]]
MARKERS = sorted((it["position"], it["length"], it["name"]) for it in SESSION["markers"])


def track_named(name):
    return next(track for track in TRACKS.values() if track["name"] == name)


def path_of(url):
    return unquote(urlsplit(url).path)


def off(found, expected):
    """How many are not on both sides, as a number and as text."""
    found, expected = Counter(found), Counter(expected)
    number = max(sum((found - expected).values()), sum((expected - found).values()))
    return number, f"{number} of {sum(expected.values())} off"
