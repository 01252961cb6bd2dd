"""The VST3 in DawDreamer."""

import os
import tempfile

import dawdreamer
import numpy

import checks
import rows
from checks import level_db, tone

HOST = "DawDreamer"


def check(what, figure, holds):
    rows.check(HOST, what, figure, holds)


def rig(sound, rate=48_000, block=512):
    """An engine whose graph plays `sound` through the plugin, that plugin, and the numbers of its parameters."""
    engine = dawdreamer.RenderEngine(rate, block)
    source = engine.make_playback_processor("tone", sound)
    plugin = engine.make_plugin_processor("deskhand", checks.PLUGIN)
    engine.load_graph([(source, []), (plugin, ["tone"])])
    return engine, plugin, {it["name"]: it["index"] for it in plugin.get_parameters_description()}


def heard(engine, seconds=1.0):
    engine.render(seconds)
    return engine.get_audio()


def render(rate, block, decibels):
    """What a second of the tone gives at this trim, channels first, and the latency in frames."""
    engine, plugin, number = rig(tone(rate), rate, block)
    plugin.set_parameter(number["Trim"], (decibels + 60) / 84)
    # The plugin lives as long as its engine: what is asked of it is asked here.
    return heard(engine), plugin.get_latency_samples()


def gains():
    worst = 0.0
    for decibels in [-24, -6, 0, 6]:
        audio, _ = render(48_000, 512, decibels)
        worst = max(worst, abs(level_db(audio, 48_000) - level_db(tone(), 48_000) - decibels))
    check("trim against measured gain, worst of 4", f"{worst:.4f} dB", worst < 0.01)


def blocks():
    outputs = [render(48_000, block, -6)[0][:, 4800:48_000] for block in [17, 64, 512, 2027]]
    worst = max(numpy.abs(output - outputs[0]).max() for output in outputs)
    check("blocks of 17 to 2027 frames sound alike", f"{worst:.1e} apart", worst < 1e-6)


def latency():
    _, frames = render(48_000, 512, 0)
    check("latency", f"{frames} frames", frames == 0)


def rates():
    worst = 0.0
    for rate in [44_100, 96_000]:
        audio, _ = render(rate, 512, -6)
        worst = max(worst, abs(level_db(audio, rate) - level_db(tone(rate), rate) + 6))
    check("gain at 44.1 and 96 kHz", f"{worst:.4f} dB off", worst < 0.01)


def bounce():
    """What is bounced while the output is the session is never the input."""
    engine, plugin, number = rig(tone(seconds=5.0))
    plugin.set_parameter(number["Output"], 1.0)
    out = heard(engine, 5.0)
    count = int(numpy.count_nonzero(out))
    check("output is the session, nothing in it: samples of the input", f"{count} of {out.size}", count == 0)


def loaded():
    """The knob of a state that was loaded is what is heard, whatever was set since."""
    engine, plugin, number = rig(tone())
    with tempfile.TemporaryDirectory() as folder:
        kept = os.path.join(folder, "state")
        worst = 0.0
        for decibels in [-40, 20, None, 0, 24]:
            if decibels is None:
                plugin.load_state(kept)
                decibels = -40
            else:
                plugin.set_parameter(number["Trim"], (decibels + 60) / 84)
            level = level_db(heard(engine), 48_000) - level_db(tone(), 48_000)
            knob = plugin.get_parameter(number["Trim"]) * 84 - 60
            worst = max(worst, abs(level - decibels), abs(level - knob))
            if not os.path.exists(kept):
                plugin.save_state(kept)
    check("trim -40 kept; +20; loaded; 0; 24: heard, off the knob by", f"{worst:.4f} dB", worst < 0.01)


def texts():
    """DawDreamer shows texts and cannot set a parameter by one."""
    _engine, plugin, number = rig(tone())
    off = 0.0
    for step in range(1_001):
        plugin.set_parameter(number["Trim"], step / 1_000)
        shown = float(plugin.get_parameter_text(number["Trim"]))
        off = max(off, abs(shown - (step / 1_000 * 84 - 60)))
    check("1001 texts of trim: off the value that was set", f"{off:.4f} dB", off < 0.00051)
    said = []
    for name, value in [("Low Cut", 0.0), ("Low Cut", 1.0), ("Polarity", 1.0), ("Mono", 1.0), ("Output", 1.0)]:
        plugin.set_parameter(number[name], value)
        said.append(plugin.get_parameter_text(number[name]))
    check("texts of the others", " ".join(said), said == ["off", "400 Hz", "inverted", "on", "Session"])


def automation():
    def play(drawn, size):
        engine, plugin, number = rig(numpy.full((2, len(drawn)), 0.5, dtype=numpy.float32), block=size)
        plugin.set_automation(number["Trim"], ((drawn + 60) / 84).astype(numpy.float32))
        return heard(engine)[0] / 0.5

    checks.automation(HOST, play)


def unusual():
    """Behind a low cut of some 24 Hz."""

    def play(sound):
        engine, plugin, number = rig(sound)
        plugin.set_parameter(number["Low Cut"], 0.1)
        return heard(engine, sound.shape[1] / 48_000)

    checks.no_numbers(HOST, play)
    checks.denormals(HOST, play)


def only_plays():
    """DawDreamer says that it plays. So two seconds are a pass that is kept, and a tenth is too short."""
    engine, _plugin, _ = rig(tone(seconds=2.0))
    checks.only_plays(HOST, lambda: engine.render(0.1), lambda: engine.render(2.0))


LOOKS = [blocks, latency, rates]
SHARED = [only_plays, gains, texts, loaded, automation, bounce, unusual]
for look in SHARED if checks.HELPER else LOOKS + SHARED:
    look()
rows.done()
