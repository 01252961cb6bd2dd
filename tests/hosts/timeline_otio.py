"""Exported OTIO, read by OpenTimelineIO."""

import opentimelineio
from opentimelineio.schema import Clip, Transition

import rows
from timelines import CLIPS, FOLDER, MARKERS, RATES, TRACKS, off, path_of


def crossed(item, side):
    """How much of a neighbor's transition lies on this side of the cut."""
    return int(getattr(item, side).value) if isinstance(item, Transition) else 0


def clips(track):
    """Each clip with the parts that cross its neighbors."""
    items = [None, *track, None]
    for before, item, after in zip(items, items[1:], items[2:]):
        if isinstance(item, Clip):
            place, heard = track.range_of_child(item), item.source_range
            lead, tail = crossed(before, "in_offset"), crossed(after, "out_offset")
            first, length = int(place.start_time.value) - lead, int(place.duration.value) + lead + tail
            path = path_of(item.media_reference.target_url)
            yield track.name, item.name, first, length, int(heard.start_time.value) - lead, not item.enabled, path


def compare(rate):
    def check(what, figure, holds):
        rows.check("OTIO", f"{rate.name()}: {what}", figure, holds)

    timeline = opentimelineio.adapters.read_from_file(str(FOLDER / f"{rate.file}.otio"))
    found = [clip for track in timeline.tracks for clip in clips(track)]
    places = [(c.track, c.name, c.position, c.length, c.start, c.mute, c.source["path"]) for c in CLIPS]
    number, figure = off(found, places)
    check("clips at their samples", figure, number == 0)
    start = timeline.global_start_time
    holds = start.value == rate.start and abs(start.rate - rate.exact) < 1e-6
    check("timecode at the start", f"frame {start.value:.0f} at {start.rate:.4f}", holds)
    marked = [(mark.marked_range, mark.name) for mark in timeline.tracks.markers]
    number, figure = off([(int(it.start_time.value), int(it.duration.value), name) for it, name in marked], MARKERS)
    check("markers with their lengths", figure, number == 0)
    names = {track.name for track in timeline.tracks}
    check("tracks by name", f"{len(names)} of {len(TRACKS)}", names == {track["name"] for track in TRACKS.values()})


for rate in RATES:
    compare(rate)
rows.done()
