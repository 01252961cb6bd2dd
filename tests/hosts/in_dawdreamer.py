"""The VST3 in DawDreamer."""

import dawdreamer
import numpy

import checks
from checks import check as check_in
from checks import level_db, tone

HOST = "DawDreamer"


def check(what, figure, holds):
    check_in(HOST, what, figure, holds)


def render(rate, block, decibels, seconds=1.0):
    """What a graph of a playback and the plugin gives, channels first, and its latency in frames."""
    engine = dawdreamer.RenderEngine(rate, block)
    source = engine.make_playback_processor("tone", tone(rate, seconds))
    plugin = engine.make_plugin_processor("deskhand", checks.PLUGIN)
    index = [it["index"] for it in plugin.get_parameters_description() if it["name"] == "Trim"][0]
    plugin.set_parameter(index, (decibels + 60) / 84)
    engine.load_graph([(source, []), (plugin, ["tone"])])
    engine.render(seconds)
    # The plugin lives as long as its engine: what is asked of it is asked here.
    return engine.get_audio(), plugin.get_latency_samples()


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
    engine = dawdreamer.RenderEngine(48_000, 512)
    source = engine.make_playback_processor("tone", tone(48_000, 5.0))
    plugin = engine.make_plugin_processor("deskhand", checks.PLUGIN)
    index = [it["index"] for it in plugin.get_parameters_description() if it["name"] == "Output"][0]
    plugin.set_parameter(index, 1.0)
    engine.load_graph([(source, []), (plugin, ["tone"])])
    engine.render(5.0)
    heard, size = int(numpy.count_nonzero(engine.get_audio())), engine.get_audio().size
    check("output is the session, nothing in it: samples of the input", f"{heard} of {size}", heard == 0)


for look in [gains, bounce] if checks.HELPER else [gains, blocks, latency, rates, bounce]:
    look()
checks.done()
