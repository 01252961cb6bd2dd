"""Scores splits of the example: plain SDR over the whole clip, and SDR, SIR and SAR of BSS-eval v4 by museval
(medians over windows of 1 s), beside the oracle mask and the unprocessed mix.

python score.py FOLDER NAME TRUTH,TRUTH ESTIMATE,ESTIMATE
"""

import sys

import museval
import numpy
import scipy.signal
import soundfile


def read(path):
    return soundfile.read(path, dtype="float64")[0]


def plain(truth, estimate):
    return 10 * numpy.log10(numpy.sum(truth**2) / numpy.sum((truth - estimate) ** 2))


def oracle(mix, truths):
    """Ideal ratio masks of power 2, one a channel."""
    stft = lambda x: scipy.signal.stft(x.T, nperseg=4096, noverlap=3072)[2]
    spectra = [numpy.abs(stft(truth)) ** 2 for truth in truths]
    whole = sum(spectra) + 1e-10
    back = lambda x: scipy.signal.istft(x, nperseg=4096, noverlap=3072)[1].T[: len(mix)]
    return [back(stft(mix) * spectrum / whole) for spectrum in spectra]


def line(name, part, truths, estimates, index):
    length = min(len(truths[0]), len(estimates[0]))
    truths = numpy.array([truth[:length] for truth in truths])
    estimates = numpy.array([estimate[:length] for estimate in estimates])
    sdr, _, sir, sar = museval.evaluate(truths, estimates, win=44100, hop=44100)
    median = lambda values: numpy.nanmedian(values[index])
    whole = plain(truths[index], estimates[index])
    numbers = [whole, median(sdr), median(sir), median(sar)]
    shown = " ".join(f"{value:7.2f}" for value in numbers)
    print(f"{name:24} {part:14} {shown}")


def main(folder, name, truths, estimates):
    parts = truths.split(",")
    truths = [read(f"{folder}/{part}.wav") for part in parts]
    if estimates == "oracle":
        estimates = oracle(read(f"{folder}/mix.wav"), truths)
    else:
        estimates = [read(path) for path in estimates.split(",")]
    for index, part in enumerate(parts):
        line(name, part, truths, estimates, index)


if __name__ == "__main__":
    main(*sys.argv[1:])
