"""Exported EDL, read by the CMX 3600 adapter of OpenTimelineIO."""

import re

from opentimelineio.opentime import RationalTime
from opentimelineio.schema import Clip, Gap, Transition
from otio_cmx3600_adapter import cmx_3600

import rows
from timelines import CLIPS, FOLDER, MARKERS, RATES, off


def frame(rate, label):
    return int(RationalTime.from_timecode(label, float(rate.exact)).value)


def clips(rate, track):
    """Each clip to where it really ends: a clip that the next one dissolves from is cut where the dissolve begins."""
    # The adapter has no gap before the first clip.
    at = -int(track.source_range.start_time.value) if track.source_range else rate.start
    found, dissolve = [], 0
    for item in track:
        if isinstance(item, Transition):
            dissolve = int(item.out_offset.value)
            continue
        length = int(item.duration().value)
        if isinstance(item, Clip):
            if dissolve:
                found[-1][2] += dissolve
            source = int(item.source_range.start_time.value)
            found.append([item.name, at - rate.start, at + length - rate.start, source])
        at, dissolve = at + length, 0
    return found


def expected(rate):
    for clip in CLIPS:
        first, end, start = clip.on_picture(rate)
        if not clip.mute and first < end:
            yield clip.name, first, end, rate.nearest(start)


def compare(rate):
    def check(what, figure, holds):
        rows.check("EDL", f"{rate.name()}: {what}", figure, holds)

    text = (FOLDER / f"{rate.file}.edl").read_text()
    timeline = cmx_3600.read_from_string(text, rate=float(rate.exact))
    found = [tuple(clip) for track in timeline.tracks for clip in clips(rate, track)]
    number, figure = off(found, list(expected(rate)))
    check("clips at their frames", figure, number == 0)
    mode = "DROP FRAME" if rate.is_drop else "NON-DROP FRAME"
    check("frame code mode", mode, f"FCM: {mode}\n" in text)
    # The adapter knows no locator with a drop-frame label.
    locators = re.findall(r"^\* LOC: (\S+) \w+ +(.+)$", text, re.MULTILINE)
    marked = [(frame(rate, label) - rate.start, name) for label, name in locators]
    number, figure = off(marked, [(rate.nearest(at), name) for at, _, name in MARKERS])
    check("markers", figure, number == 0)


for rate in RATES:
    compare(rate)
rows.done()
