"""Spleeter with two stems in NumPy alone, from the same checkpoint: what the Rust one is compared with.

python reference.py CHECKPOINT_FOLDER MIX.wav VOCALS.wav ACCOMPANIMENT.wav
"""

import struct
import sys

import numpy as np
import soundfile


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def records(table, offset, size):
    block = table[offset : offset + size]
    end = len(block) - 4 * (struct.unpack("<I", block[-4:])[0] + 1)
    at, key = 0, b""
    while at < end:
        shared, at = varint(block, at)
        own, at = varint(block, at)
        length, at = varint(block, at)
        key = key[:shared] + block[at : at + own]
        yield key, block[at + own : at + own + length]
        at += own + length


def fields(message):
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        if key & 7 == 0:
            value, at = varint(message, at)
        elif key & 7 == 2:
            length, at = varint(message, at)
            value, at = message[at : at + length], at + length
        else:
            width = 4 if key & 7 == 5 else 8
            value, at = message[at : at + width], at + width
        yield key >> 3, value


def weights(folder):
    table = open(f"{folder}/model.index", "rb").read()
    data = open(f"{folder}/model.data-00000-of-00001", "rb").read()
    at = len(table) - 48
    _, at = varint(table, at)
    _, at = varint(table, at)
    offset, at = varint(table, at)
    size, at = varint(table, at)
    found = {}
    for _, handle in records(table, offset, size):
        start, after = varint(handle, 0)
        length, _ = varint(handle, after)
        for key, value in records(table, start, length):
            if not key:
                continue
            entry = {number: part for number, part in fields(value)}
            shape = [dict(fields(d)).get(1, 0) for n, d in fields(entry.get(2, b"")) if n == 2]
            raw = data[entry.get(4, 0) : entry.get(4, 0) + entry[5]]
            found[key.decode()] = np.frombuffer(raw, "<f4").reshape(shape) if entry[1] == 1 else None
    return found


def conv(x, kernel, bias, stride, dilation, pads):
    """x [height, width, in], kernel [height, width, in, out]."""
    before, after = pads
    x = np.pad(x, ((before, after), (before, after), (0, 0)))
    size = kernel.shape[0]
    reach = (size - 1) * dilation
    height = (x.shape[0] - reach - 1) // stride + 1
    width = (x.shape[1] - reach - 1) // stride + 1
    out = np.zeros((height * width, kernel.shape[3]), np.float32)
    for i in range(size):
        for j in range(size):
            rows = x[i * dilation :, j * dilation :][: (height - 1) * stride + 1 : stride]
            part = rows[:, : (width - 1) * stride + 1 : stride]
            out += part.reshape(-1, x.shape[2]) @ kernel[i, j]
    return out.reshape(height, width, -1) + bias


def conv_transpose(x, kernel, bias):
    """Stride 2, "same"; kernel [height, width, out, in]."""
    height, width, _ = x.shape
    size = kernel.shape[0]
    out = np.zeros((2 * height + size - 2, 2 * width + size - 2, kernel.shape[2]), np.float32)
    flat = x.reshape(height * width, -1)
    for i in range(size):
        for j in range(size):
            part = (flat @ kernel[i, j].T).reshape(height, width, -1)
            out[i : i + 2 * height : 2, j : j + 2 * width : 2] += part
    return out[1 : 1 + 2 * height, 1 : 1 + 2 * width] + bias


def net(w, index, x):
    def name(kind, each, number):
        number += index * each
        return kind if number == 0 else f"{kind}_{number}"

    def layer(kind, each, number):
        found = name(kind, each, number)
        return w[f"{found}/kernel"], w[f"{found}/bias"]

    def normal(x, number):
        found = name("batch_normalization", 12, number)
        gamma, beta = w[f"{found}/gamma"], w[f"{found}/beta"]
        mean, variance = w[f"{found}/moving_mean"], w[f"{found}/moving_variance"]
        return (x - mean) / np.sqrt(variance + 1e-3) * gamma + beta

    mix, skips = x, []
    for step in range(6):
        c = conv(x, *layer("conv2d", 7, step), 2, 1, (1, 2))
        skips.append(c)
        x = normal(c, step)
        x = np.where(x > 0, x, 0.2 * x)
    x = skips.pop()
    for step in range(6):
        x = np.maximum(conv_transpose(x, *layer("conv2d_transpose", 6, step)), 0)
        x = normal(x, 6 + step)
        if skips:
            x = np.concatenate([skips.pop(), x], axis=2)
    logits = conv(x, *layer("conv2d", 7, 6), 1, 2, (3, 3))
    return mix / (1 + np.exp(-logits))


def main(folder, source, vocals_file, rest_file):
    audio, rate = soundfile.read(source, dtype="float32")
    assert rate == 44100
    w = weights(folder)
    length, frame, hop = len(audio), 4096, 1024
    count = -(-(length + frame) // hop)
    padded = np.zeros(((count - 1) * hop + frame, 2), np.float32)
    padded[frame : frame + length] = audio
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(frame) / frame)
    frames = np.stack([padded[t * hop : t * hop + frame] for t in range(count)])
    spectra = np.fft.rfft(frames * window[:, None], axis=1)
    magnitudes = np.abs(spectra).astype(np.float32)
    mask = np.zeros_like(magnitudes)
    for start in range(0, count, 512):
        part = magnitudes[start : start + 512, :1024]
        x = np.zeros((512, 1024, 2), np.float32)
        x[: len(part)] = part
        vocals, rest = net(w, 0, x) ** 2, net(w, 1, x) ** 2
        mask[start : start + 512, :1024] = (vocals / (vocals + rest + 1e-10))[: len(part)]
    out = np.zeros_like(padded, dtype=np.float64)
    back = np.fft.irfft(spectra * mask, axis=1) * window[:, None] * (2 / 3)
    for t in range(count):
        out[t * hop : t * hop + frame] += back[t]
    vocals = out[frame : frame + length]
    soundfile.write(vocals_file, vocals, rate, subtype="FLOAT")
    soundfile.write(rest_file, audio - vocals, rate, subtype="FLOAT")


if __name__ == "__main__":
    main(*sys.argv[1:])
