"""The hashes of a document and its stamp: the `modified` date and the `body_hash` that every change of ours leaves in it."""

from __future__ import annotations

import hashlib

from vaultspec_core.report import Refusal
from vaultspec_core.vault.frontmatter import BOM, split
from vaultspec_core.vault.splice import set_scalar


def blob_hash(data: bytes) -> str:
    """The git blob object id (SHA-1, hexadecimal) of exactly these bytes."""
    digest = hashlib.sha1(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


def body_hash(body: str) -> str:
    """`sha256:` and the hash of the body with LF line ends, without a byte order mark and outer white space."""
    normal = body.removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n").strip()
    return f"sha256:{hashlib.sha256(normal.encode('utf-8', 'surrogatepass')).hexdigest()}"


def stamped(text: str, today: str) -> str:
    """The document with `modified` set to today and `body_hash` to that of its body; every other byte stays.

    A document without frontmatter has no place for a stamp, and one whose frontmatter cannot be edited safely keeps the old
    one: neither must keep its body from being edited. Both come back as they are.
    """
    front = split(text)
    if not front.present:
        return text
    digest = body_hash(text[front.body_start :])
    try:
        dated = set_scalar(text, "modified", today, after=("date", "tags"))
        return set_scalar(dated, "body_hash", digest, after=("body_schema", "modified", "date"))
    except Refusal:
        return text
