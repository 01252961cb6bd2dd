"""What faster-whisper needs for the same work: MODEL BEAM FILE... prints one JSON object.

Times leave loading out. Voice activity in front and word times, as Deskhand does; English, two threads or as many as
there are cores.
"""

import json
import os
import resource
import sys
import time

from faster_whisper import WhisperModel


def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main():
    folder, beam, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    model = WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=os.cpu_count() or 2)
    cpu, wall, texts = spent(), time.monotonic(), []
    for file in files:
        segments, _ = model.transcribe(
            file, beam_size=beam, language="en", vad_filter=True, word_timestamps=True
        )
        texts.append(" ".join(segment.text.strip() for segment in segments))
    print(
        json.dumps(
            {
                "cpu_s": spent() - cpu,
                "wall_s": time.monotonic() - wall,
                "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
                "texts": texts,
            }
        )
    )


main()
