"""Writes the parts of the stempeg package's example as WAV, with accompaniment and mix as sums of them.

The example's own mix was encoded by itself and is 15 dB off that sum, which no split of it could reach.

python clip.py FOLDER
"""

import subprocess
import sys

import numpy
import soundfile
import stempeg

PARTS = ["drums", "bass", "other", "vocals"]


def main(folder):
    parts = {}
    for index, name in enumerate(PARTS):
        path = f"{folder}/{name}.wav"
        line = ["ffmpeg", "-v", "error", "-y", "-i", stempeg.example_stem_path()]
        line += ["-map", f"0:a:{index + 1}", "-ar", "44100", "-ac", "2", "-c:a", "pcm_f32le", path]
        subprocess.run(line, check=True)
        parts[name], _ = soundfile.read(path, dtype="float64")
    for name, of in [
        ("accompaniment", ["drums", "bass", "other"]),
        ("rest", ["bass", "other", "vocals"]),
        ("mix", PARTS),
    ]:
        audio = numpy.sum([parts[part] for part in of], axis=0)
        soundfile.write(f"{folder}/{name}.wav", audio, 44100, subtype="FLOAT")


if __name__ == "__main__":
    main(sys.argv[1])
