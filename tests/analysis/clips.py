"""Clips whose truth is known: General MIDI rendered by fluidsynth, the truth read from the MIDI itself.

Usage: clips.py FOLDER. Writes NAME.wav and NAME.truth.json ({"onsets", "beats", "downbeats", "key"}, whatever is
known) for the music of planetblupi, for click tracks of known tempi and offsets, and for progressions in known keys.
Needs fluidsynth, fluid-soundfont-gm, planetblupi-music-midi, and the Python packages mido and librosa.
"""

import json
import pathlib
import subprocess
import sys

import mido

SOUNDS = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
MUSIC = pathlib.Path("/usr/share/planetblupi/music")
SECONDS = 90.0
NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]


def render(midi, wav):
    """Renders a MIDI file without reverb and chorus, whose tails would be no part of the truth."""
    command = ["fluidsynth", "-ni", "-q", "-R", "0", "-C", "0", "-g", "0.6", "-r", "48000", "-F", str(wav), SOUNDS, str(midi)]
    subprocess.run(command, check=True, timeout=300, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def grid(midi):
    """Beats and downbeats by tempo and meter of a MIDI file, in seconds, and its end."""
    tempi, meters, last = [(0, 500000)], [(0, 4, 4)], 0
    for track in midi.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == "set_tempo":
                tempi.append((tick, message.tempo))
            if message.type == "time_signature":
                meters.append((tick, message.numerator, message.denominator))
            if message.type == "note_on":
                last = max(last, tick)
    tempi, meters = sorted(tempi, key=lambda t: t[0]), sorted(meters, key=lambda m: m[0])

    def seconds(at):
        total, before, tempo = 0.0, 0, 500000
        for tick, next_tempo in tempi:
            if tick > at:
                break
            total += mido.tick2second(tick - before, midi.ticks_per_beat, tempo)
            before, tempo = tick, next_tempo
        return total + mido.tick2second(at - before, midi.ticks_per_beat, tempo)

    beats, downs, tick, in_bar = [], [], 0, 0
    while tick <= last:
        numerator, denominator = [m[1:] for m in meters if m[0] <= tick][-1]
        beats.append(seconds(tick))
        if in_bar % numerator == 0:
            downs.append(beats[-1])
        in_bar = (in_bar + 1) % numerator
        tick += midi.ticks_per_beat * 4 // denominator
    return beats, downs, seconds


def onsets(midi, seconds):
    """Every time at which a note begins; within 30 ms they are one."""
    times = set()
    for track in midi.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == "note_on" and message.velocity > 20:
                times.add(seconds(tick))
    merged = []
    for time in sorted(times):
        if not merged or time - merged[-1] > 0.03:
            merged.append(time)
    return merged


def write(folder, name, truth):
    kept = {key: [t for t in value if t < SECONDS - 1] if isinstance(value, list) else value for key, value in truth.items()}
    (folder / f"{name}.truth.json").write_text(json.dumps(kept))


def cut(wav):
    """Keeps the first minute and a half."""
    import soundfile

    audio, rate = soundfile.read(wav, frames=int(48000 * SECONDS))
    soundfile.write(wav, audio, rate, subtype="PCM_16")


def aligned(beats, times):
    """How far the notes of a recorded performance lie behind the grid of its file, in seconds."""
    import numpy

    phases = numpy.interp(times, beats, numpy.arange(len(beats)))
    best = max((4, 3, 6), key=lambda parts: abs(numpy.mean(numpy.exp(2j * numpy.pi * parts * phases))) / (1.3 if parts == 6 else 1.0))
    angle = numpy.angle(numpy.mean(numpy.exp(2j * numpy.pi * best * phases)))
    # A performance lies behind its grid, never ahead of it.
    angle = angle + 2 * numpy.pi if angle < -0.3 else angle
    return float(angle / (2 * numpy.pi * best) * numpy.median(numpy.diff(beats)))


def shortened(path, folder):
    """The file without what begins behind the first minute and a half: rendering half an hour takes long.

    Notes that still sound there are ended: fluidsynth would wait for them for ever.
    """
    midi = mido.MidiFile(path)
    _, _, seconds = grid(midi)
    for track in midi.tracks:
        tick, kept = 0, []
        for message in track:
            tick += message.time
            if seconds(tick) > SECONDS:
                break
            kept.append(message)
        channels = {message.channel for message in kept if hasattr(message, "channel")}
        kept = [message for message in kept if message.type != "end_of_track"]
        kept += [mido.Message("control_change", channel=channel, control=120) for channel in sorted(channels)]
        track[:] = kept
    short = folder / f"{path.stem}.short.mid"
    midi.save(short)
    return short


def song(midi_path, folder, name, truth_key=None):
    midi = mido.MidiFile(midi_path)
    beats, downs, seconds = grid(midi)
    wav = folder / f"{name}.wav"
    if not wav.exists():
        render(midi_path if truth_key else shortened(midi_path, folder), wav)
        cut(wav)
    behind = aligned(beats, onsets(midi, seconds))
    beats, downs = [t + behind for t in beats], [t + behind for t in downs]
    truth = {"onsets": onsets(midi, seconds), "beats": beats, "downbeats": downs}
    if truth_key:
        truth = {"onsets": truth["onsets"], "key": truth_key}
    write(folder, name, truth)


def tempo_track(folder, bpm, offset, name, drift=0.0):
    """Drums and bass at a tempo, beginning after an offset; with drift the tempo changes by that share a bar."""
    midi = mido.MidiFile(ticks_per_beat=480)
    track = mido.MidiTrack()
    midi.tracks.append(track)
    track.append(mido.MetaMessage("set_tempo", tempo=mido.bpm2tempo(bpm), time=0))
    track.append(mido.Message("program_change", channel=0, program=33, time=0))
    events, start, beats, downs, seconds, now = [], 0, [], [], 0.0, bpm
    lead = int(mido.second2tick(offset, 480, mido.bpm2tempo(bpm)))
    for bar in range(int(70 * bpm / 240)):
        for beat in range(4):
            tick = lead + (bar * 4 + beat) * 480
            events.append((tick, "note", 9, 36 if beat in (0, 2) else 38, 110 if beat == 0 else 90))
            events.append((tick, "note", 9, 42, 70))
            events.append((tick + 240, "note", 9, 42, 60))
            if beat == 0:
                events.append((tick, "note", 0, [36, 41, 43, 36][bar % 4], 100))
        if drift:
            now *= 1.0 + drift
            events.append((lead + (bar + 1) * 4 * 480, "tempo", mido.bpm2tempo(now)))
    flat = []
    for event in events:
        if event[1] == "note":
            flat.append((event[0], mido.Message("note_on", channel=event[2], note=event[3], velocity=event[4])))
            flat.append((event[0] + 120, mido.Message("note_off", channel=event[2], note=event[3])))
        else:
            flat.append((event[0], mido.MetaMessage("set_tempo", tempo=event[2])))
    before = 0
    for tick, message in sorted(flat, key=lambda e: e[0]):
        message.time = tick - before
        before = tick
        track.append(message)
    path = folder / f"{name}.mid"
    midi.save(path)
    read = mido.MidiFile(path)
    _, _, to_seconds = grid(read)
    beats = [to_seconds(lead + n * 480) for n in range(int(70 * bpm / 240) * 4)]
    wav = folder / f"{name}.wav"
    if not wav.exists():
        render(path, wav)
        cut(wav)
    write(folder, name, {"onsets": onsets(read, to_seconds), "beats": beats, "downbeats": beats[::4]})


def progression(folder, tonic, mode, name):
    """Eight bars of a common progression with a melody, in a key."""
    chords = {"major": [(0, 4, 7), (5, 9, 12), (7, 11, 14), (0, 4, 7), (9, 12, 16), (5, 9, 12), (7, 11, 14), (0, 4, 7)],
              "minor": [(0, 3, 7), (5, 8, 12), (7, 11, 14), (0, 3, 7), (8, 12, 15), (5, 8, 12), (7, 11, 14), (0, 3, 7)]}[mode]
    midi = mido.MidiFile(ticks_per_beat=480)
    for channel, program, octave in [(0, 0, 60), (1, 48, 60), (2, 33, 36)]:
        track = mido.MidiTrack()
        midi.tracks.append(track)
        track.append(mido.Message("program_change", channel=channel, program=program, time=0))
        for chord in chords * 2:
            notes = [octave + tonic % 12 + n for n in (chord if channel < 2 else chord[:1])]
            steps = [notes] * 1 if channel == 1 else [[notes[k % len(notes)]] for k in range(4)]
            length = 1920 // len(steps)
            for step in steps:
                for note in step:
                    track.append(mido.Message("note_on", channel=channel, note=note, velocity=80, time=0))
                for i, note in enumerate(step):
                    track.append(mido.Message("note_off", channel=channel, note=note, time=length if i == 0 else 0))
    path = folder / f"{name}.mid"
    midi.save(path)
    song(path, folder, name, f"{NAMES[tonic % 12]} {mode}")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(MUSIC.glob("*.mid")):
        song(path, folder, f"blupi_{path.stem}")
    for bpm, offset in [(63, 0.31), (84, 0.77), (97.5, 0.12), (120, 0.5), (128, 0.043), (141, 1.2), (174, 0.25)]:
        tempo_track(folder, bpm, offset, f"click_{bpm}")
    tempo_track(folder, 100, 0.4, "click_faster", drift=0.006)
    tempo_track(folder, 130, 0.4, "click_slower", drift=-0.006)
    for tonic in range(12):
        for mode in ("major", "minor"):
            progression(folder, tonic, mode, f"key_{tonic}_{mode}")


main()
