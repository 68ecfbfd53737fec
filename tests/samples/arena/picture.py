#!/usr/bin/env python3
"""Makes an animated PNG of pictures: picture.py OUT.png MILLISECONDS FRAME.bmp...

Colors are reduced to 255. Each frame contains only the rectangle that differs from the previous one, and its other pixels are transparent.
docs/pictures/arena.png shows every 5th frame of the headless game, 83 milliseconds each: frames 40-160, 500-600, 1220-1340, 1860-1980 and 2960-3090."""

import struct
import sys
import zlib
from collections import Counter


def read_bmp(file):
    """Returns width, height and a list of colors, from the upper left corner."""
    data = open(file, "rb").read()
    begin, = struct.unpack_from("<I", data, 10)
    width, height = struct.unpack_from("<ii", data, 18)
    size = struct.unpack_from("<H", data, 28)[0] // 8
    stride = (width * size + 3) // 4 * 4
    pixels = []
    for y in reversed(range(height)):
        row = data[begin + y * stride:begin + y * stride + width * size]
        pixels += zip(row[2::size], row[1::size], row[0::size])
    return width, height, pixels


def palette_of(frames):
    """Returns the most frequent colors, without colors that nearly equal a more frequent one."""
    counts = Counter()
    for frame in frames[::2]:
        counts.update(frame)
    chosen = []
    for distance in (40, 12, 3, 0):
        for color, _ in counts.most_common():
            if len(chosen) == 255:
                return chosen
            if all(sum(abs(a - b) for a, b in zip(color, other)) > distance for other in chosen):
                chosen.append(color)
            if distance and len(chosen) >= {40: 120, 12: 200, 3: 240}[distance]:
                break
    return chosen


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def main(out, milliseconds, files):
    width, height, _ = read_bmp(files[0])
    frames = [read_bmp(file)[2] for file in files]
    palette = palette_of(frames)
    nearest = {}

    def number(color):
        if color not in nearest:
            nearest[color] = 1 + min(range(len(palette)), key=lambda i: sum((a - b) ** 2 for a, b in zip(color, palette[i])))
        return nearest[color]

    result = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
              chunk(b"acTL", struct.pack(">II", len(frames), 0)),
              chunk(b"PLTE", bytes(3) + b"".join(bytes(color) for color in palette)), chunk(b"tRNS", b"\0")]
    before, order = None, 0
    for frame in frames:
        now = [number(color) for color in frame]
        changed = range(len(now)) if before is None else [i for i in range(len(now)) if now[i] != before[i]]
        top, bottom = (changed[0] // width, changed[-1] // width) if changed else (0, 0)
        rows = []
        for y in range(top, bottom + 1):
            row = now[y * width:(y + 1) * width]
            if before is not None:
                row = [a if a != b else 0 for a, b in zip(row, before[y * width:(y + 1) * width])]
            rows.append(b"\0" + bytes(row))
        packed = zlib.compress(b"".join(rows), 9)
        result.append(chunk(b"fcTL", struct.pack(">IIIIIHHBB", order, width, bottom - top + 1, 0, top, milliseconds, 1000, 0, int(before is not None))))
        order += 1
        if before is None:
            result.append(chunk(b"IDAT", packed))
        else:
            result.append(chunk(b"fdAT", struct.pack(">I", order) + packed))
            order += 1
        before = now
    open(out, "wb").write(b"".join(result) + chunk(b"IEND", b""))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])
