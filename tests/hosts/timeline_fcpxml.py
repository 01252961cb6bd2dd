"""Exported FCPXML, read by the adapter of OpenTimelineIO, which rounds, and by its own numbers, which are exact."""

import sys
import xml.etree
import xml.etree.ElementTree as ElementTree
from fractions import Fraction

# The adapter imports a module that Python 3.9 removed.
xml.etree.cElementTree = sys.modules["xml.etree.cElementTree"] = ElementTree

from opentimelineio.schema import Clip
from otio_fcpx_xml_adapter import fcpx_xml

import rows
from timelines import CLIPS, FOLDER, MARKERS, RATES, SAMPLES, off, path_of, track_named

SHAPES = {
    "fadeIn": {"linear": "linear", "easeOut": "equal_power"},
    "fadeOut": {"linear": "linear", "easeIn": "equal_power"},
}


def time(text):
    """Seconds."""
    return Fraction(text.removesuffix("s"))


def compare_with_adapter(check, rate, text):
    """The adapter cuts what is between two frames off, and counts lengths in whole frames a second: 29 of 29.97."""
    timeline = fcpx_xml.read_from_string(text)[0]
    found = []
    for track in timeline.tracks:
        clips = [item for item in track if isinstance(item, Clip)]
        places = [(clip.name, track.range_of_child(clip)) for clip in clips]
        found += [(name, int(it.start_time.value) - rate.start, int(it.duration.value)) for name, it in places]
    expected = [(clip.name, *clip.on_picture(rate)[:2]) for clip in CLIPS]
    counted = lambda frames: int(frames * int(rate.exact) / rate.exact)
    expected = sorted((name, first, counted(end - first)) for name, first, end in expected)
    pairs = list(zip(sorted(found), expected))
    worst = max(max(abs(a - b) for a, b in zip(one[1:], other[1:])) for one, other in pairs)
    names = [one[0] for one, _ in pairs] == [other[0] for _, other in pairs] and len(found) == len(expected)
    check("places by the adapter, to a frame", f"{worst} off, {len(pairs)} clips", names and worst <= 1)


def fade(clip, tag):
    found = clip.find(f".//{tag}")
    if found is None:
        return (0, None)
    return (int(time(found.get("duration")) * SAMPLES), SHAPES[tag][found.get("type")])


def volume(clip):
    found = clip.find("adjust-volume")
    return 0.0 if found is None else float(found.get("amount").removesuffix("dB"))


def compare_exactly(check, rate, root):
    frames = lambda text: time(text) * rate.exact
    paths = {it.get("id"): path_of(it.find("media-rep").get("src")) for it in root.iter("asset")}
    placed, faded, loud = [], [], []
    for clip in root.iter("asset-clip"):
        name, first = clip.get("name"), frames(clip.get("offset"))
        length, start = frames(clip.get("duration")), time(clip.get("start")) * SAMPLES
        placed.append((name, first, length, start, clip.get("enabled") == "0", paths[clip.get("ref")]))
        faded.append((name, first, fade(clip, "fadeIn"), fade(clip, "fadeOut")))
        loud.append((name, first, round(volume(clip), 2)))
    expected = [(clip, *clip.on_picture(rate)) for clip in CLIPS]
    places = [(c.name, at, end - at, start, c.mute, c.source["path"]) for c, at, end, start in expected]
    number, figure = off(placed, places)
    check("clips at frames, in sync to a sample", figure, number == 0)
    number, figure = off(faded, [(c.name, at, c.fade_in, c.fade_out) for c, at, *_ in expected])
    check("fades with their shapes", figure, number == 0)
    gains = [(c.name, at, round(c.gain + track_named(c.track)["gain"], 2)) for c, at, *_ in expected]
    number, figure = off(loud, gains)
    check("gains with those of the tracks, in 0.01 dB", figure, number == 0)
    marked = [(frames(it.get("start")), it.get("value")) for it in root.iter("marker")]
    number, figure = off(marked, [(rate.nearest(at), name) for at, _, name in MARKERS])
    check("markers", figure, number == 0)
    sequence = root.find(".//sequence")
    start, code = frames(sequence.get("tcStart")), sequence.get("tcFormat")
    holds = start == rate.start and code == ("DF" if rate.is_drop else "NDF")
    check("timecode at the start", f"frame {start}, {code}", holds)


def compare(rate):
    def check(what, figure, holds):
        rows.check("FCPXML", f"{rate.name()}: {what}", figure, holds)

    text = (FOLDER / f"{rate.file}.fcpxml").read_text()
    compare_with_adapter(check, rate, text)
    compare_exactly(check, rate, ElementTree.fromstring(text))


for rate in RATES:
    compare(rate)
rows.done()
