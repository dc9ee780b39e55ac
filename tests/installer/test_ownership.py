"""The ownership record: its format, shared with earlier releases, and what is wrong with a bad one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.requirements import requirement
from vaultspec_core.report import Refusal
from vaultspec_installer.ownership import Record, fingerprint, parse

PATH = Path("/w/.vaultspec/mcp-ownership.json")
MARK = "e855b87699b8ab640a2bc930cfd1214272b5a7c2739376f18d1c4de5d7ec0a34"
ENTRY = {"command": "uvx", "args": ["--from", "vaultspec-core", "python", "-m", "vaultspec_core.mcp_server.app"]}
FILE = """{
  "targets": {
    "claude:project": {
      "managed": {
        "vaultspec-core": "MARK"
      },
      "path": "/w/.mcp.json",
      "provider": "claude",
      "scope": "project"
    }
  },
  "version": 1
}
""".replace("MARK", MARK)


@requirement("OWN-1")
def test_the_fingerprint_is_the_one_of_earlier_releases() -> None:
    assert fingerprint(ENTRY) == MARK


@requirement("OWN-1")
def test_the_fingerprint_does_not_depend_on_key_order_and_escapes_what_is_not_ascii() -> None:
    env = {"VAULTSPEC_TARGET_DIR": '/srv/pröj "q"\\x\nline2', "A": "1\u0001"}
    entry = {"env": env, **ENTRY}
    assert fingerprint(entry) == "29194114837b065052a4251b91966d027bc6508cc3ff1d1676c842bd57a99fc4"


@requirement("OWN-1")
def test_a_record_reads_and_writes_back_the_same_bytes() -> None:
    ownership = parse(PATH, FILE.encode())
    record = Record("claude", "project", "/w/.mcp.json", {"vaultspec-core": MARK})
    assert {key: vars(said) for key, said in ownership.records.items()} == {"claude:project": vars(record)}
    assert ownership.to_bytes() == FILE.encode()


@requirement("OWN-1")
def test_what_we_add_stands_beside_what_earlier_readers_know() -> None:
    ownership = parse(PATH, FILE.encode())
    record = ownership.records["claude:project"]
    record.pending["other"] = MARK
    record.owners["vaultspec-core"] = "/w"
    written = ownership.to_bytes()
    assert written is not None
    said = json.loads(written)["targets"]["claude:project"]
    assert said["managed"] == {"vaultspec-core": MARK}
    assert said["pending"] == {"other": MARK}
    assert said["owners"] == {"vaultspec-core": "/w"}
    assert vars(parse(PATH, written).records["claude:project"]) == vars(record)


@requirement("OWN-1")
def test_unknown_keys_survive_a_rewrite() -> None:
    document = json.loads(FILE)
    document["later"] = {"a": 1}
    document["targets"]["claude:project"]["later"] = [1]
    text = json.dumps(document, indent=2, sort_keys=True) + "\n"
    assert parse(PATH, text.encode()).to_bytes() == text.encode()


@requirement("OWN-1")
def test_a_record_of_nothing_is_no_file() -> None:
    ownership = parse(PATH, FILE.encode())
    ownership.records["claude:project"].forget("vaultspec-core")
    assert ownership.to_bytes() is None
    assert parse(PATH, None).to_bytes() is None


@requirement("OWN-1")
def test_a_name_owned_without_fingerprint_and_a_version_written_as_a_float_are_read() -> None:
    text = FILE.replace(f'"{MARK}"', "null").replace('"version": 1', '"version": 1.0')
    assert parse(PATH, text.encode()).records["claude:project"].managed == {"vaultspec-core": None}


BAD = [
    (b"not json", "it is not JSON (JSONDecodeError)"),
    (b"\xff\xfe", "it is not JSON (UnicodeDecodeError)"),
    (b"[" * 200_000, "it is not JSON (RecursionError)"),
    (b"[]", "its root is not an object"),
    (b"{}", "its version is None, this release knows 1"),
    (b'{"version": 2, "targets": {}}', "its version is 2, this release knows 1"),
    (b'{"version": true, "targets": {}}', "its version is True, this release knows 1"),
    (b'{"version": "1", "targets": {}}', "its version is '1', this release knows 1"),
    (b'{"version": 1, "targets": []}', "`targets` is not an object"),
    (b'{"version": 1, "targets": {"a": "x"}}', "`targets/a` is not an object"),
    (b'{"version": 1, "targets": {"a": {"managed": ["x"]}}}', "`targets/a/managed` is not an object"),
    (
        b'{"version": 1, "targets": {"a": {"managed": {"x": "y"}}}}',
        "`targets/a/managed/x` is not a SHA-256 fingerprint",
    ),
    (b'{"version": 1, "targets": {"a": {"managed": {"x": {}}}}}', "`targets/a/managed/x` is not a SHA-256 fingerprint"),
    (b'{"version": 1, "targets": {"a": {"managed": {}}}}', "`targets/a/provider` is not a string"),
]


@requirement("OWN-3")
@pytest.mark.parametrize(("data", "reason"), BAD, ids=[reason for _, reason in BAD])
def test_a_bad_record_is_refused_by_what_is_wrong_with_it(data: bytes, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        parse(PATH, data)
    assert refused.value.code == "bad-ownership"
    assert refused.value.message == f"the ownership record {PATH} cannot be used: {reason}"
    assert refused.value.hint == "vaultspec-core spec mcps sync --repair-ownership"
