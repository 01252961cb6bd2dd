#!/usr/bin/env python3
"""Pitch and time of clips by the program `rubberband`. A tool of Deskhand."""

import json
import re
import shutil
import subprocess
import sys


def say(**line):
    print(json.dumps(line), flush=True)


def arguments(program, params):
    """What Rubber Band is told. Numbers only: nothing that a model writes becomes an option of its own."""
    semitones, time = float(params.get("semitones", 0)), float(params.get("time", 1))
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    major = re.search(r"(\d+)\.", version.stdout + version.stderr)
    # Its better engine came with version 3.
    engine = ["--fine"] if major and int(major[1]) >= 3 else []
    formants = ["--formant"] if params.get("formants", False) else []
    return [*engine, f"--pitch={semitones:.6f}", f"--time={time:.9f}", *formants]


def stretch(program, options, clip, done, all_clips):
    """Runs Rubber Band on one clip and tells how far it is."""
    command = [program, *options, clip["file"], clip["out"]]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words, told = b"", 0
    while piece := run.stderr.read1(4096):
        words = (words + piece)[-2000:]
        percents = [int(percent) for percent in re.findall(rb"(\d+)%", words)[-1:]]
        # It counts twice, first for a look at the whole.
        if percents and told < percents[0] <= 100:
            told = percents[0]
            say(progress=(done + told / 100) / all_clips, what=clip["name"])
    if run.wait() != 0:
        sys.stderr.write(words.decode("utf-8", "replace"))
        raise RuntimeError(f"rubberband ended with {run.returncode}")


def words_of(params, clips):
    count = "1 clip" if clips == 1 else f"{clips} clips"
    return f"{count}, pitch {params.get('semitones', 0):+g} semitones, {params.get('time', 1):g} times as long"


def main():
    request = json.load(sys.stdin)
    program = shutil.which("rubberband")
    if program is None:
        say(error="rubberband is not installed: apt install rubberband-cli, or brew install rubberband")
        return
    params, clips, files = request["params"], request["clips"], []
    options = arguments(program, params)
    for done, clip in enumerate(clips):
        stretch(program, options, clip, done, len(clips))
        files.append({"clip": clip["id"], "file": clip["out"]})
    say(result={"files": files, "summary": words_of(params, len(clips))})


if __name__ == "__main__":
    main()
