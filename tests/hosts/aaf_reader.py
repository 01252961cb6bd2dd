"""An exported AAF as plain values, read by pyaaf2. All positions and lengths count samples of the session."""

import math
import re
import struct
from dataclasses import dataclass

import aaf2
from aaf2.components import Filler, OperationGroup, Transition

from timelines import path_of

NONE = (0, None)
CURVES = {"LinearInterp": "linear", "PowerInterp": "equal_power"}


@dataclass
class Played:
    """A clip on one channel."""

    track: str
    channel: str  # L, R, or empty on a mono track
    position: int
    length: int
    start: int  # in the file or, where the audio is embedded, in the part of it
    before: int  # audio before and after the clip, for an editor to open it up
    after: int
    amplitude: float
    fade_in: tuple
    fade_out: tuple
    name: str
    rate: int
    channels: int
    column: int  # the channel of the file, from 1
    path: str
    file_length: int
    essence: object  # the id of the embedded audio


@dataclass
class Slot:
    """One channel of a track."""

    name: str
    rate: int
    amplitude: float
    pan: float  # -1 is left, 1 is right
    clips: list


def decibels(amplitude):
    return 20 * math.log10(amplitude) if amplitude > 0 else -math.inf


def unwrapped(segment):
    """What plays within gains and pans, with their values."""
    amplitude, pan = 1.0, 0.0
    while isinstance(segment, OperationGroup):
        value = float(list(segment.parameters)[0].value)
        if segment.operation.name == "Mono Audio Pan":
            pan = 2 * value - 1
        else:
            amplitude *= value
        segment = list(segment.segments)[0]
    return segment, amplitude, pan


def fade(transition, before, after):
    """Length and curve of a transition, if it is one of the kinds that Deskhand means."""
    group = transition["OperationGroup"].value
    level = list(group.parameters)[0]
    cut = transition.length // 2
    if isinstance(before, Filler):
        cut = 0
    elif isinstance(after, Filler):
        cut = transition.length
    points = [(float(it.time), float(it.value)) for it in level.pointlist]
    is_plain = group.operation.name == "Mono Audio Dissolve" and points == [(0, 0), (1, 1)]
    curve = CURVES.get(level.interpolation.name, level.interpolation.name)
    return (transition.length, curve if is_plain and transition.cutpoint == cut else "of another kind")


class Reader:
    def __init__(self, file):
        self.mobs = {mob.mob_id: mob for mob in file.content.mobs}
        self.composition = next(file.content.toplevel())

    def timecode(self):
        return list(self.composition.slots)[0].segment

    def markers(self):
        slot = next(it for it in self.composition.slots if isinstance(it, aaf2.mobslots.EventMobSlot))
        return [(it["Position"].value, it.length, it["Comment"].value) for it in slot.segment.components]

    def slots(self):
        for slot in self.composition.slots:
            if slot.media_kind == "Sound":
                sequence, amplitude, pan = unwrapped(slot.segment)
                yield Slot(slot.name, int(slot.edit_rate), amplitude, pan, list(self.clips(slot.name, sequence)))

    def clips(self, slot, sequence):
        """A transition lies over the end of what is before it and the start of what is after it."""
        track, channel = re.fullmatch(r"(.*?)(?: \(\d+\))?(?:\.([LR]))?", slot).groups(default="")
        items, at, arriving, last = list(sequence.components), 0, NONE, None
        for number, item in enumerate(items):
            if isinstance(item, Transition):
                at -= item.length
                arriving = fade(item, items[number - 1], items[number + 1])
                if last:
                    last.fade_out = arriving
                continue
            if last:
                yield last
            last = None if isinstance(item, Filler) else self.clip(track, channel, at, arriving, item)
            at, arriving = at + item.length, NONE
        if last:
            yield last
        assert at == sequence.length, f"{slot}: its items last {at}, the sequence {sequence.length}"

    def clip(self, track, channel, at, fade_in, item):
        """A clip plays a part in the bin, which plays a file."""
        heard, amplitude, _ = unwrapped(item)
        part = self.mobs[heard.mob_id].slot_at(heard.slot_id).segment
        file = self.mobs[part.mob_id]
        descriptor = file.descriptor
        channels, rate = struct.unpack_from("<HI", bytes(descriptor["Summary"].value), 22)
        locators = list(descriptor.locator)
        return Played(
            track=track,
            channel=channel,
            position=at,
            length=heard.length,
            start=heard.start + part.start,
            before=heard.start,
            after=part.length - heard.start - heard.length,
            amplitude=amplitude,
            fade_in=fade_in,
            fade_out=NONE,
            name=file.name,
            rate=rate,
            channels=channels,
            column=part.slot_id,
            path=path_of(locators[0]["URLString"].value) if locators else "",
            file_length=descriptor.length,
            essence=part.mob_id,
        )
