"""The protocol stream: lines out of any chunks, bounded in length; whole frames in from any thread."""

from __future__ import annotations

import os
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.mcp_server.wire import TooLong, Wire

BOUND = 64


def lines_of(chunks: list[bytes], monkeypatch: pytest.MonkeyPatch) -> list[bytes | None]:
    """The lines of a stream that arrives in these chunks; None stands for one that was too long."""
    arriving = iter([*chunks, b""])
    monkeypatch.setattr(os, "read", lambda handle, size: next(arriving))
    found = [None if isinstance(line, TooLong) else line for line in Wire(-1, -1, BOUND).lines()]
    monkeypatch.undo()
    return found


@requirement("SRV-2")
@settings(max_examples=200, deadline=None)
@given(st.lists(st.binary(max_size=12).map(lambda part: part.replace(b"a", b"\n"))))
def test_lines_do_not_depend_on_the_chunks_in_which_they_come(chunks: list[bytes]) -> None:
    data = b"".join(chunks)
    whole = data.split(b"\n")
    expected = whole if whole[-1] else whole[:-1]
    if any(len(line) > BOUND for line in expected):
        return
    with pytest.MonkeyPatch.context() as patch:
        parts = [chunk for chunk in chunks if chunk]
        assert lines_of(parts, patch) == expected
        assert lines_of([bytes([byte]) for byte in data], patch) == expected


@requirement("SRV-2")
def test_a_line_above_the_bound_is_told_once_and_the_next_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    long = [b"x" * 40] * 10
    assert lines_of([b"a\n", *long, b"tail\nb\n", b"c"], monkeypatch) == [b"a", None, b"b", b"c"]
    assert lines_of([b"x" * BOUND, b"\n", b"b\n"], monkeypatch) == [b"x" * BOUND, b"b"]
    assert lines_of(long, monkeypatch) == [None]


@requirement("SRV-2")
def test_frames_of_many_threads_never_mix() -> None:
    source, sink = os.pipe()
    wire = Wire(-1, sink)
    frames = [bytes([65 + number]) * 100_000 + b"\n" for number in range(8)]
    threads = [threading.Thread(target=wire.send, args=(frame,)) for frame in frames]
    for thread in threads:
        thread.start()
    with os.fdopen(source, "rb") as reading:
        seen = [reading.readline() for _ in frames]
    assert sorted(seen) == frames
    os.close(sink)


@requirement("SRV-2")
def test_a_client_that_reads_no_more_is_no_fault() -> None:
    source, sink = os.pipe()
    os.close(source)
    Wire(-1, sink).send(b"frame\n")
    os.close(sink)
    assert list(Wire(sink, -1).lines()) == []
