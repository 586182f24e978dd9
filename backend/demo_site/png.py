"""Small PNG pictures, made from nothing but numbers."""

import struct
import zlib
from colorsys import hls_to_rgb

Colour = tuple[int, int, int]


def colour(hue: int, lightness: float, saturation: float = 0.5) -> Colour:
    """A colour by hue in degrees."""
    red, green, blue = hls_to_rgb(hue % 360 / 360, lightness, saturation)
    return round(red * 255), round(green * 255), round(blue * 255)


def encode_png(rows: list[list[Colour]]) -> bytes:
    """Rows of equally many pixels as an 8-bit RGB picture (PNG specification, third edition)."""
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    pixels = b"".join(b"\0" + bytes(part for pixel in row for part in pixel) for row in rows)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(pixels, 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def pixel_art(drawing: str, hue: int, *, cell_pixels: int = 10) -> bytes:
    """A drawing of lines of characters as a picture: `#` is dark, `o` light, anything else the ground."""
    palette = {"#": colour(hue, 0.33), "o": colour(hue, 0.7)}
    ground = colour(hue, 0.94)
    rows = [[palette.get(mark, ground) for mark in line for _ in range(cell_pixels)] for line in drawing.splitlines()]
    return encode_png([row for row in rows for _ in range(cell_pixels)])
