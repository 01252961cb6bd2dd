"""Scores onsets, beats, downbeats and keys of clips with known truth, ours beside librosa and aubio, by mir_eval.

Usage: score.py FOLDER. Reads NAME.wav, NAME.truth.json and NAME.ours.json, and prints one JSON object a line:
{"measure", "clips", "count", "ours", "librosa", "aubio"}. Onsets within 50 ms, beats within 70 ms from 5 s on (F
measures), beats at any level (AMLt: half, double and off the beat count as right), keys by the weighted score. librosa has no key finder: its chroma (CQT) is put through Krumhansl's profiles,
as its users do.
"""

import json
import pathlib
import sys
import warnings

import aubio
import librosa
import mir_eval
import numpy as np
import soundfile

warnings.filterwarnings("ignore")

NAMES = ["C", "C#", "D", "Eb", "E", "F", "F#", "G", "Ab", "A", "Bb", "B"]
MAJOR = [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88]
MINOR = [6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17]


def by_librosa(audio, rate):
    low = librosa.resample(audio, orig_sr=rate, target_sr=22050)
    chroma = librosa.feature.chroma_cqt(y=low, sr=22050).mean(axis=1)
    keys = [
        (np.corrcoef(np.roll(profile, tonic), chroma)[0, 1], f"{NAMES[tonic]} {mode}")
        for tonic in range(12)
        for profile, mode in ((MAJOR, "major"), (MINOR, "minor"))
    ]
    beats = librosa.beat.beat_track(y=low, sr=22050, units="time")[1]
    onsets = librosa.onset.onset_detect(y=low, sr=22050, units="time")
    return {"onsets": onsets.tolist(), "beats": beats.tolist(), "key": max(keys)[1]}


def by_aubio(audio, rate):
    hop = 256
    onset, tempo = aubio.onset("default", 1024, hop, rate), aubio.tempo("default", 1024, hop, rate)
    onsets, beats = [], []
    for start in range(0, len(audio) - hop, hop):
        part = audio[start : start + hop]
        if onset(part):
            onsets.append(onset.get_last_s())
        if tempo(part):
            beats.append(tempo.get_last_s())
    return {"onsets": onsets, "beats": beats}


def peers(wav):
    """What librosa and aubio find, computed once."""
    known = wav.with_suffix(".peers.json")
    if not known.exists():
        audio, rate = soundfile.read(wav, dtype="float32")
        audio = audio.mean(axis=1) if audio.ndim > 1 else audio
        known.write_text(json.dumps({"librosa": by_librosa(audio, rate), "aubio": by_aubio(audio, rate)}))
    return json.loads(known.read_text())


def beats(truth, found):
    trim = mir_eval.beat.trim_beats
    return mir_eval.beat.f_measure(trim(np.array(truth)), trim(np.array(found)))


def at_any_level(truth, found):
    trim = mir_eval.beat.trim_beats
    return mir_eval.beat.continuity(trim(np.array(truth)), trim(np.array(found)))[3]


def onsets(truth, found):
    return mir_eval.onset.f_measure(np.array(truth), np.array(found))[0]


# The measure, by what of the truth, how.
MEASURES = {
    "onsets": ("onsets", onsets),
    "beats": ("beats", beats),
    "beats at any level": ("beats", at_any_level),
    "downbeats": ("downbeats", beats),
    "key": ("key", lambda truth, found: mir_eval.key.weighted_score(truth, found or "X")),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    scores = {}
    for path in sorted(folder.glob("*.truth.json")):
        name = path.name.removesuffix(".truth.json")
        truth = json.loads(path.read_text())
        found = {"ours": json.loads((folder / f"{name}.ours.json").read_text()), **peers(folder / f"{name}.wav")}
        for measure, (what, score) in MEASURES.items():
            if what not in truth:
                continue
            clips = scores.setdefault((measure, name.split("_")[0]), {})
            for who, its in found.items():
                if what in its:
                    clips.setdefault(who, []).append(score(truth[what], its[what]))
    for (measure, clips), by in scores.items():
        means = {who: round(float(np.mean(values)), 4) for who, values in by.items()}
        print(json.dumps({"measure": measure, "clips": clips, "count": len(by["ours"]), **means}))


main()
