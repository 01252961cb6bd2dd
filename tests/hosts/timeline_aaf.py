"""Exported AAF, linked and embedded, read by pyaaf2."""

import math
import struct

import aaf2

import rows
from aaf_reader import Reader, decibels
from timelines import CLIPS, FOLDER, MARKERS, RATES, SAMPLES, TRACKS, off, track_named

# Audio that is kept on both sides of a clip.
HANDLES = 2 * SAMPLES
# Frames of a file that are compared at the start of each clip.
COMPARED = 64


def handed(source):
    """The file that an AAF names, its rate, and its length. Of audio that is no WAV this is the session's copy."""
    if source["path"].endswith(".wav"):
        return source["path"], source["rate"], source["frames"] * source["rate"] // SAMPLES
    return str(FOLDER / "session.deskhand" / source["media"]["conformed"]), SAMPLES, source["frames"]


def expected():
    """Each clip on each channel of its track."""
    width = {name: 1 for name in {clip.track for clip in CLIPS}}
    for clip in CLIPS:
        width[clip.track] = max(width[clip.track], clip.source["channels"])
    return [(clip, channel) for clip in CLIPS for channel in (["L", "R"] if width[clip.track] == 2 else [""])]


def paired(found):
    """Each clip that was found with the one that was expected in its place."""
    found = sorted(found, key=lambda it: (it.track, it.channel, it.position))
    return list(zip(found, sorted(expected(), key=lambda it: (it[0].track, it[1], it[0].position))))


def place(check, slots):
    found = [clip for slot in slots for clip in slot.clips]
    pairs = paired(found)
    ours = [(it.track, it.channel, it.position, it.length, it.name, it.column) for it in found]
    column = lambda clip, channel: 2 if channel == "R" and clip.source["channels"] == 2 else 1
    theirs = [(c.track, side, c.position, c.length, c.source["name"], column(c, side)) for c, side in expected()]
    number, figure = off(ours, theirs)
    check("clips and channels at their samples", figure, number == 0)
    ours = [(it.track, it.channel, it.position, it.fade_in, it.fade_out) for it in found]
    theirs = [(c.track, side, c.position, c.fade_in, c.fade_out) for c, side in expected()]
    number, figure = off(ours, theirs)
    count = sum(it[0] > 0 for _, (clip, _) in pairs for it in (clip.fade_in, clip.fade_out))
    check(f"fades and crossfades, {count} edges", figure, number == 0)
    return pairs


def levels(check, pairs, slots):
    heard = [(it, clip) for it, (clip, _) in pairs if not clip.mute]
    worst = max(abs(decibels(it.amplitude) - clip.gain) for it, clip in heard)
    check("gains of clips, worst", f"{worst:.7f} dB", worst < 1e-3)
    silent = [it.amplitude for it, (clip, _) in pairs if clip.mute]
    check("muted clips are silent", f"{silent.count(0)} of {len(silent)}", silent and not any(silent))
    wrong = sum(not is_level(slot) for slot in slots)
    check("gain and pan of tracks", f"{wrong} of {len(slots)} channels off", wrong == 0)


def is_level(slot):
    """Whether a channel has the gain of its track, and is heard where the track is panned to."""
    first = slot.clips[0]
    track = track_named(first.track)
    pan = track["pan"]
    sides = {"": pan, "L": -1 + 2 * max(pan, 0), "R": 1 + 2 * min(pan, 0)}
    is_near = abs(decibels(slot.amplitude) - track["gain"]) < 1e-3
    return slot.rate == SAMPLES and is_near and math.isclose(slot.pan, sides[first.channel], abs_tol=1e-6)


def handles(check, pairs):
    short = 0
    for it, (clip, _) in pairs:
        after = clip.source["frames"] - clip.start - clip.length
        short += it.before < min(HANDLES, clip.start) or it.after < min(HANDLES, after)
    check("2 s on both sides, or all there is", f"{short} of {len(pairs)} too short", short == 0)


def linked(check, pairs):
    wrong = 0
    for it, (clip, _) in pairs:
        is_file = (it.path, it.rate, it.file_length) == handed(clip.source)
        is_part = it.start == clip.start and it.channels == clip.source["channels"]
        wrong += not (is_file and is_part)
    rates = sorted({it.rate for it, _ in pairs})
    check(f"files, at {', '.join(map(str, rates))} Hz", f"{wrong} of {len(pairs)} off", wrong == 0)


class Wave:
    """The bytes of a WAV file of any kind of samples."""

    def __init__(self, stream):
        self.stream, self.start = stream, None
        stream.seek(12)
        while self.start is None:
            name, size = struct.unpack("<4sI", stream.read(8))
            if name == b"fmt ":
                self.frame = struct.unpack("<HHIIHH", stream.read(16))[4]
                size -= 16
            if name == b"data":
                self.start = stream.tell()
            stream.seek(stream.tell() + size + size % 2)

    def frames(self, at):
        self.stream.seek(self.start + at * self.frame)
        return self.stream.read(COMPARED * self.frame)


def embedded(check, file, pairs):
    """At a rate that is no whole multiple of the session's, a sample of the session may lie between two of the file."""
    parts, originals, wrong = {}, {}, 0
    for it, (clip, _) in pairs:
        if it.essence not in parts:
            parts[it.essence] = Wave(file.content.essencedata.get(it.essence).open("r"))
        path, rate, length = handed(clip.source)
        if path not in originals:
            originals[path] = Wave(open(path, "rb"))
        heard = parts[it.essence].frames(it.start * rate // SAMPLES)
        wanted, slack = clip.start * rate // SAMPLES, int(SAMPLES % rate != 0 and rate % SAMPLES != 0)
        near = range(max(0, wanted - slack), min(length, wanted + slack + 1))
        wrong += heard not in [originals[path].frames(at) for at in near]
    check(f"audio, in {len(parts)} parts", f"{wrong} of {len(pairs)} off", wrong == 0)


def compare(rate):
    def check(what, figure, holds):
        rows.check("AAF", f"{rate.name()}: {what}", figure, holds)

    with aaf2.open(str(FOLDER / f"{rate.file}.aaf"), "r") as file:
        reader = Reader(file)
        slots = list(reader.slots())
        pairs = place(check, slots)
        levels(check, pairs, slots)
        handles(check, pairs)
        linked(check, pairs)
        number, figure = off(reader.markers(), MARKERS)
        check("markers with their lengths", figure, number == 0)
        code = reader.timecode()
        told = f"frame {code.start} at {code.fps}, {'drop' if code.drop else 'no drop'}"
        holds = (code.start, code.fps, code.drop) == (rate.start, rate.labels, rate.is_drop)
        check("timecode at the start", told, holds)


def compare_embedded(rate):
    def check(what, figure, holds):
        rows.check("AAF", f"{rate.name()}, embedded: {what}", figure, holds)

    with aaf2.open(str(FOLDER / f"{rate.file}-embedded.aaf"), "r") as file:
        pairs = place(check, list(Reader(file).slots()))
        handles(check, pairs)
        embedded(check, file, pairs)


for rate in RATES:
    compare(rate)
    compare_embedded(rate)
rows.done()
