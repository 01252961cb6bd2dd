#!/usr/bin/env python3
"""Pitch and time of clips by the program `rubberband`. A tool of Deskhand."""

import json
import re
import shutil
import subprocess
import sys


def say(**line):
    print(json.dumps(line), flush=True)


def arguments(params):
    """What Rubber Band is told. Numbers only: nothing that a model writes becomes an option of its own."""
    semitones, time = float(params.get("semitones", 0)), float(params.get("time", 1))
    formants = ["--formant"] if params.get("formants", False) else []
    return ["--fine", f"--pitch={semitones:.6f}", f"--time={time:.9f}", *formants]


def stretch(program, options, clip, done, all_clips):
    """Runs Rubber Band on one clip and tells how far it is."""
    command = [program, *options, clip["file"], clip["out"]]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    words, told = b"", -1
    while piece := run.stderr.read1(4096):
        words = (words + piece)[-2000:]
        percents = re.findall(rb"(\d+)%", words)
        if percents and int(percents[-1]) != told:
            told = int(percents[-1])
            say(progress=(done + min(told, 100) / 100) / all_clips, what=clip["name"])
    if run.wait() != 0:
        sys.stderr.write(words.decode("utf-8", "replace"))
        raise RuntimeError(f"rubberband ended with {run.returncode}")


def main():
    request = json.load(sys.stdin)
    program = shutil.which("rubberband")
    if program is None:
        say(error="rubberband is not installed: apt install rubberband-cli, or brew install rubberband")
        return
    options, clips, files = arguments(request["params"]), request["clips"], []
    for done, clip in enumerate(clips):
        stretch(program, options, clip, done, len(clips))
        files.append({"clip": clip["id"], "file": clip["out"]})
    say(result={"files": files, "summary": f"{len(files)} clips, {' '.join(options[1:])}"})


if __name__ == "__main__":
    main()
