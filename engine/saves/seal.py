"""A seal for eyes: bytes that say nothing to who opens a file.

It does not stop somebody who takes the program apart: whoever has Prontuario has the key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import secrets
import zlib

KEY = b"Prontuario: un sigillo per gli occhi, non una cassaforte"[:64]
NONCE = 12
MARK = 8
LARGEST = 32 * 1024 * 1024


class BrokenSeal(Exception):
    """What is under the seal is not what was put there."""


def sealed(content: bytes) -> str:
    """Bytes as text that says nothing to a reader."""
    nonce = secrets.token_bytes(NONCE)
    packed = zlib.compress(content, 9)
    return base64.b64encode(nonce + _mark(packed) + _mixed(packed, nonce)).decode()


def unsealed(text: str) -> bytes:
    """The bytes under a seal; BrokenSeal if they were touched."""
    try:
        closed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BrokenSeal from error
    nonce, mark, rest = closed[:NONCE], closed[NONCE : NONCE + MARK], closed[NONCE + MARK :]
    packed = _mixed(rest, nonce)
    if not rest or _mark(packed) != mark:
        raise BrokenSeal
    opened = zlib.decompressobj()
    try:
        content = opened.decompress(packed, LARGEST)
    except zlib.error as error:
        raise BrokenSeal from error
    if opened.unconsumed_tail:
        raise BrokenSeal
    return content


def _mark(packed: bytes) -> bytes:
    return hashlib.blake2b(packed, key=KEY, digest_size=MARK).digest()


def _mixed(data: bytes, nonce: bytes) -> bytes:
    """Data and a stream of bytes, mixed; mixing again gives the data back."""
    blocks = -(-len(data) // 64)
    stream = b"".join(
        hashlib.blake2b(nonce + block.to_bytes(8, "big"), key=KEY).digest()
        for block in range(blocks)
    )
    number = int.from_bytes(data, "big") ^ int.from_bytes(stream[: len(data)], "big")
    return number.to_bytes(len(data), "big")
