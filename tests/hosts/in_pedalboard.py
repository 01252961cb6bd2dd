"""The VST3 in pedalboard."""

import random
import re

import numpy
import pedalboard

import checks
import rows
from checks import level_db, tone

RATE = 48_000
HOST = "pedalboard"
# Ahead of this, a parameter that was just set is still on its way.
SETTLED = int(RATE * 0.1)


def check(what, figure, holds):
    rows.check(HOST, what, figure, holds)


def fresh():
    return pedalboard.load_plugin(checks.PLUGIN)


def trim(plugin, decibels):
    plugin.parameters["trim_db"].raw_value = (decibels + 60) / 84


def named():
    wanted = ["bypass", "trim_db", "polarity", "mono", "low_cut", "output"]
    found = list(fresh().parameters)
    check("parameters", " ".join(found), found == wanted)


def gains():
    plugin, sound = fresh(), tone()
    before = level_db(sound, RATE)
    worst = 0.0
    for decibels in [-60, -18, -6, -0.5, 0, 3, 12, 24]:
        trim(plugin, decibels)
        plugin.process(sound, RATE)
        heard = level_db(plugin.process(sound, RATE), RATE) - before
        worst = max(worst, abs(heard - decibels))
    check("trim against measured gain, worst of 8", f"{worst:.4f} dB", worst < 0.01)


def switches():
    plugin, sound = fresh(), tone()
    trim(plugin, -12)
    plugin.parameters["bypass"].raw_value = 1
    plugin.process(sound, RATE)
    off = numpy.abs(plugin.process(sound, RATE) - sound)[:, SETTLED:].max()
    check("bypass passes the input", f"{off:.1e} off", off == 0)
    plugin = fresh()
    plugin.parameters["polarity"].raw_value = 1
    plugin.process(sound, RATE)
    off = numpy.abs(plugin.process(sound, RATE) + sound)[:, SETTLED:].max()
    check("polarity turns the sign", f"{off:.1e} off", off < 1e-6)
    plugin = fresh()
    plugin.parameters["mono"].raw_value = 1
    wide = sound * numpy.array([[1.0], [0.5]], dtype=numpy.float32)
    plugin.process(wide, RATE)
    heard = plugin.process(wide, RATE)[:, SETTLED:]
    off = numpy.abs(heard - wide.mean(axis=0)[SETTLED:]).max()
    check("mono is the mean of both sides", f"{off:.1e} off", off < 1e-6)


def blocks():
    sound = tone(seconds=2)
    outputs = []
    for size in [1, 17, 64, 2027, 8192]:
        plugin = fresh()
        trim(plugin, -6)
        outputs.append(plugin.process(sound, RATE, buffer_size=size)[:, SETTLED:])
    worst = max(numpy.abs(output - outputs[0]).max() for output in outputs)
    check("blocks of 1 to 8192 frames sound alike", f"{worst:.1e} apart", worst < 1e-6)


def rates():
    worst = 0.0
    for rate in [8_000, 22_050, 44_100, 48_000, 96_000, 192_000]:
        plugin, sound = fresh(), tone(rate)
        trim(plugin, -6)
        plugin.process(sound, rate)
        heard = level_db(plugin.process(sound, rate), rate) - level_db(sound, rate)
        worst = max(worst, abs(heard + 6))
    check("gain at 8 to 192 kHz, worst of 6", f"{worst:.4f} dB off", worst < 0.01)


def mono():
    plugin, sound = fresh(), tone()[:1]
    trim(plugin, -6)
    plugin.process(sound, RATE)
    heard = level_db(plugin.process(sound, RATE), RATE) - level_db(sound, RATE)
    check("a mono track", f"{heard:.4f} dB", abs(heard + 6) < 0.01)


def states():
    plugin = fresh()
    trim(plugin, -7.25)
    plugin.parameters["polarity"].raw_value = 1
    state, other = plugin.raw_state, fresh()
    other.raw_state = state
    same = other.raw_state == state
    check("state comes back byte for byte", f"{len(state)} bytes", same)
    # The host wraps what the plugin wrote: only what is wrapped again reaches the plugin.
    other = fresh()
    other.raw_state = wrapped(state, unwrapped(state))
    check("a state that is wrapped anew arrives", f"{len(unwrapped(state))} bytes", other.raw_state == state)
    dice, kept, good = random.Random(1), 0, unwrapped(state)
    for round in range(1_000):
        garbage = bytearray(dice.randbytes(dice.randrange(0, 2_000)) if round % 2 else good)
        if round % 2 == 0:
            at = dice.randrange(len(garbage))
            garbage = garbage[:at] if round % 4 else garbage[:at] + b"\xff" + garbage[at + 1 :]
        try:
            other.raw_state = wrapped(state, bytes(garbage))
        except Exception:
            pass  # refusing with an error is as good as keeping silent
        kept += other.raw_state == state
    check("the old state is kept under garbage", f"{kept} of 1000", kept == 1_000)


# How the host writes bytes as text: their number, a point, and six bits a sign, the lowest first.
SIGNS = ".ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+"
COMPONENT = re.compile(rb"(<IComponent>)([^<]*)(</IComponent>)")


def unwrapped(state):
    size, signs = COMPONENT.search(state)[2].decode().split(".", 1)
    bits = sum(SIGNS.index(sign) << (6 * at) for at, sign in enumerate(signs))
    return (bits & ((1 << (8 * int(size))) - 1)).to_bytes(int(size), "little")


def wrapped(state, inner):
    bits = int.from_bytes(inner, "little")
    signs = "".join(SIGNS[bits >> (6 * at) & 63] for at in range((len(inner) * 8 + 5) // 6))
    text = f"{len(inner)}.{signs}".encode()
    words = COMPONENT.sub(lambda it: it[1] + text + it[3], state[8:])
    return state[:4] + (len(words) - 1).to_bytes(4, "little") + words


def many():
    sound = tone(seconds=0.2)
    rounds, whole = 10_000 if checks.LONG else 1_000, 0
    for _ in range(rounds):
        whole += fresh().process(sound, RATE).shape == sound.shape
    check("made and destroyed in turn", f"{whole} of {rounds}", whole == rounds)
    instances = [fresh() for _ in range(32)]
    for index, plugin in enumerate(instances):
        trim(plugin, -index / 2)
        plugin.process(tone(), RATE)
    worst = 0.0
    for index, plugin in enumerate(instances):
        heard = level_db(plugin.process(tone(), RATE), RATE) - level_db(tone(), RATE)
        worst = max(worst, abs(heard + index / 2))
    check("32 instances, each with its own gain", f"{worst:.4f} dB off", worst < 0.01)


def texts():
    plugin = fresh()
    parameter = plugin.parameters["trim_db"]
    check("the unit of trim", repr(parameter.label), parameter.label == "dB")
    off = 0.0
    for text, decibels in [("-6dB", -6), ("-3.5 dB", -3.5), ("12", 12), (6, 6)]:
        plugin.trim_db = text
        off = max(off, abs(parameter.raw_value * 84 - 60 - decibels))
    # pedalboard knows a thousand texts of a parameter and takes the nearest: it can be half of their distance off.
    check("trim set by text, off at most half of a thousandth", f"{off:.3f} dB", off <= 0.0421)
    back, count = 0, 0
    for parameter in plugin.parameters.values():
        for step in range(101):
            text = parameter.get_text_for_raw_value(step / 100)
            for typed in [text, f"{text} {parameter.label or ''}"]:
                raw = parameter.get_raw_value_for_text(typed)
                back, count = back + (parameter.get_text_for_raw_value(raw) == text), count + 1
    check("texts that the plugin prints read back, some with unit", f"{back} of {count}", back == count)
    typed = [("trim_db", "-6dB", "-6.00"), ("trim_db", "6 db", "6.00"), ("low_cut", "80 hz", "80 Hz")]
    typed += [("polarity", "inverted", "inverted"), ("low_cut", "off", "off")]
    # Where the plugin refuses a text, JUCE takes the number that it begins with, or 0: that is the lower end.
    typed += [("trim_db", "nan", "-60.00"), ("trim_db", "loud", "-60.00"), ("low_cut", "NaN Hz", "off")]
    wrong = []
    for name, text, wanted in typed:
        parameter = plugin.parameters[name]
        said = parameter.get_text_for_raw_value(parameter.get_raw_value_for_text(text))
        wrong += [f"{text}: {said}"] if said != wanted else []
    check("-6dB, 6 db, 80 hz, inverted, off; nan refused: wrong", " ".join(wrong) or "none", not wrong)


def loaded():
    """The knob of a state that was loaded is what is heard, whatever was set since."""
    plugin, sound = fresh(), tone()
    trim(plugin, -40)
    plugin.process(sound, RATE)
    kept = plugin.raw_state
    trim(plugin, 20)
    plugin.process(sound, RATE)
    plugin.raw_state = kept
    worst = 0.0
    for decibels in [-40, 0, 24]:
        if decibels != -40:
            trim(plugin, decibels)
        plugin.process(sound, RATE)
        heard = level_db(plugin.process(sound, RATE), RATE) - level_db(sound, RATE)
        knob = plugin.parameters["trim_db"].raw_value * 84 - 60
        worst = max(worst, abs(heard - decibels), abs(heard - knob))
    check("trim -40 kept; +20; loaded; 0; 24: heard, off the knob by", f"{worst:.4f} dB", worst < 0.01)


def bounce():
    """What is bounced while the output is the session is never the input."""
    plugin, sound = fresh(), tone(seconds=5)
    plugin.parameters["output"].raw_value = 1
    out = plugin.process(sound, RATE, reset=True)
    heard = int(numpy.count_nonzero(out))
    check("output is the session, nothing in it: samples of the input", f"{heard} of {out.size}", heard == 0)


def automation():
    def play(drawn, size):
        plugin, heard = fresh(), []
        for start in range(0, len(drawn), size):
            trim(plugin, drawn[start])
            # One channel: two channels of one frame are two frames of one channel for pedalboard.
            sound = numpy.full((1, len(drawn[start : start + size])), 0.5, dtype=numpy.float32)
            heard.append(plugin.process(sound, RATE, buffer_size=size, reset=False)[0] / 0.5)
        return numpy.concatenate(heard)

    checks.automation(HOST, play)


def unusual():
    """Behind a low cut of some 24 Hz."""
    plugin = fresh()
    plugin.parameters["low_cut"].raw_value = 0.1
    checks.no_numbers(HOST, lambda sound: plugin.process(sound, RATE))
    checks.denormals(HOST, lambda sound: plugin.process(sound, RATE))


def only_plays():
    """pedalboard does not say that it plays. So nothing is kept, and only the output makes a session."""
    plugin, sound = fresh(), tone(seconds=0.1)

    def keep():
        plugin.parameters["output"].raw_value = 1
        plugin.process(sound, RATE)

    checks.only_plays(HOST, lambda: plugin.process(sound, RATE, reset=False), keep)


LOOKS = [named, gains, switches, blocks, rates, mono, states, many]
SHARED = [only_plays, texts, loaded, automation, bounce, unusual]
for look in SHARED if checks.HELPER else LOOKS + SHARED:
    look()
rows.done()
