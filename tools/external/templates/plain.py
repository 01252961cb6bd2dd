#!/usr/bin/env python3
"""A tool of Deskhand: reads one JSON object on standard input, writes JSON lines on standard output.

It runs in a folder of its own: audio in `in/`, what it gives goes to `out/`. It can write nowhere else, and
without `network = true` it reaches no network. Everything on standard output must be one of

    {"progress": 0.5, "what": "words"}      as often as it likes
    {"result": {"files": [{"clip": "clip_...", "file": "out/1.wav"}], "summary": "words"}}    once
    {"error": "why it cannot be done"}      instead

The result may also hold, beside the files or instead of them,

    "markers": [{"name": "breath", "at_s": 1.5, "length_s": 0.3, "clip": "clip_..."}]
    "findings": [{"clip": "clip_...", "name": "pitch", "value": 220.5, "unit": "Hz", "confidence": 0.9}]
    "answer": anything that you or a model asked for
    "warnings": ["what to look at before it is applied"]

What it writes to standard error is shown when it fails.
"""

import array
import json
import struct
import sys


def say(**line):
    print(json.dumps(line), flush=True)


def read_wav(path):
    """Rate, channels and interleaved samples of a 32-bit float WAV file, which is what Deskhand writes."""
    with open(path, "rb") as file:
        data = file.read()
    at, rate, channels, samples = 12, 0, 0, array.array("f")
    while at + 8 <= len(data):
        kind, size = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if kind == b"fmt ":
            _, channels, rate = struct.unpack_from("<HHI", data, at + 8)
        elif kind == b"data":
            samples.frombytes(data[at + 8 : at + 8 + size // 4 * 4])
        at += 8 + size + size % 2
    return rate, channels, samples


def write_wav(path, rate, channels, samples):
    """Writes 32-bit float WAV. Any WAV, AIFF or FLAC at any rate would do as well."""
    data = samples.tobytes()
    form = struct.pack("<HHIIHH", 3, channels, rate, rate * channels * 4, channels * 4, 32)
    head = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(data))
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", len(head) + len(data)) + head + data)


def main():
    request = json.load(sys.stdin)
    gain_db = request["params"].get("gain_db", -6)
    factor = 10 ** (gain_db / 20)
    files = []
    for done, clip in enumerate(request["clips"]):
        say(progress=done / len(request["clips"]), what=clip["name"])
        rate, channels, samples = read_wav(clip["file"])
        changed = array.array("f", (sample * factor for sample in samples))
        write_wav(clip["out"], rate, channels, changed)
        files.append({"clip": clip["id"], "file": clip["out"]})
    clips = "1 clip" if len(files) == 1 else f"{len(files)} clips"
    say(result={"files": files, "summary": f"{clips} by {gain_db:g} dB"})


if __name__ == "__main__":
    main()
