"""Servers in TOML host files: a corpus of files that a person can read, and the behaviours by name.

Each folder of `fixtures/providers/toml` holds a file `before.toml` (none: there is no file), what it says (`case.json`)
and the whole file after each step (none: the file goes).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.requirements import requirement
from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.toml_region import TomlRegion

CORPUS = ROOT / "fixtures" / "providers" / "toml"
FORM = TomlRegion("mcp_servers")
OURS = "vaultspec-core"
ENTRIES: dict[str, dict[str, Any]] = json.loads((CORPUS / "entries.json").read_text(encoding="utf-8"))
ERRORS: dict[str, dict[str, Any]] = json.loads((CORPUS / "errors.json").read_text(encoding="utf-8"))
CASES = {path.parent.name: json.loads(path.read_text(encoding="utf-8")) for path in sorted(CORPUS.glob("*/case.json"))}
STEPS = [(name, step) for name, case in CASES.items() for step in case["steps"]]
FRESH = [
    name for name, case in CASES.items() if not case["owned"] and not name.startswith(("takeover", "empty-region"))
]
DOCUMENTED = b"""\
# <vaultspec type="mcps">
[mcp_servers."vaultspec-core"]
args = ["--from", "vaultspec-core", "python", "-m", "vaultspec_core.mcp_server.app"]
command = "uvx"
# </vaultspec>
"""


def contents(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def entries(changes: dict[str, str | None]) -> dict[str, Any]:
    return {name: key and ENTRIES[key] for name, key in changes.items()}


def remaining(case: dict[str, Any], changes: dict[str, Any]) -> set[str]:
    """What the record says after a step."""
    return {*case["owned"], *changes} - {name for name, entry in changes.items() if entry is None}


# --- the corpus ----------------------------------------------------------------------------------------------------


@requirement("NAT-3", "NAT-7", "D-3", "D-8")
@pytest.mark.parametrize("name", CASES)
def test_a_file_says_which_servers_it_has_and_which_stand_in_our_region(name: str) -> None:
    case = CASES[name]
    reading = FORM.read(contents(CORPUS / name / "before.toml"), case["owned"])
    assert list(reading.entries) == case["reading"]["servers"]
    assert reading.region == frozenset(case["reading"]["region"])
    assert reading.displaced == case["reading"]["displaced"]


@requirement("NAT-3", "NAT-7", "D-3", "D-8")
@pytest.mark.parametrize(("name", "step"), STEPS)
def test_a_step_gives_the_expected_file_to_the_byte(name: str, step: str) -> None:
    case = CASES[name]
    before = contents(CORPUS / name / "before.toml")
    after = FORM.apply(before, entries(case["steps"][step]), case["owned"])
    assert after == contents(CORPUS / name / f"{step}.toml")


@requirement("NAT-3", "NAT-7", "D-3")
@pytest.mark.parametrize(("name", "step"), STEPS)
def test_a_step_leaves_one_whole_region_and_a_second_time_nothing_to_do(name: str, step: str) -> None:
    case = CASES[name]
    after = contents(CORPUS / name / f"{step}.toml")
    changes = entries(case["steps"][step])
    owned = remaining(case, changes)
    reading = FORM.read(after, owned)
    assert not reading.displaced
    assert owned & reading.entries.keys() <= (reading.region or set())
    assert FORM.apply(after, changes, owned) is after
    assert FORM.apply(after, {}, owned) is after


@requirement("NAT-3")
@pytest.mark.parametrize("name", FRESH)
def test_removing_what_was_added_gives_the_old_file_back(name: str) -> None:
    before = contents(CORPUS / name / "before.toml")
    added = FORM.apply(before, {OURS: ENTRIES["tool"]})
    blank = not (before or b"").removeprefix(b"\xef\xbb\xbf").strip()
    assert FORM.apply(added, {OURS: None}, [OURS]) == (None if blank else before)


@requirement("NAT-6", "D-3")
@pytest.mark.parametrize("name", ERRORS)
def test_a_file_that_cannot_be_edited_is_refused_with_line_and_reason(name: str) -> None:
    case = ERRORS[name]
    data = (CORPUS / "errors" / f"{name}.toml").read_bytes()
    owned = case.get("owned", [])
    with pytest.raises(HostFileError) as caught:
        FORM.apply(data, entries(case.get("apply", {})), owned)
    assert (caught.value.reason, caught.value.line, caught.value.column) == (
        case["reason"],
        case["line"],
        case["column"],
    )
    if "apply" not in case:
        with pytest.raises(HostFileError) as caught:
            FORM.read(data, owned)
        assert caught.value.reason == case["reason"]


# --- by name -------------------------------------------------------------------------------------------------------


@requirement("NAT-2")
def test_a_fresh_file_is_the_documented_text() -> None:
    assert FORM.apply(None, {OURS: ENTRIES["tool"]}) == DOCUMENTED
    assert FORM.apply(b"", {OURS: ENTRIES["tool"]}) == DOCUMENTED


@requirement("NAT-2")
def test_servers_stand_in_order_with_sorted_keys_and_a_blank_line_between() -> None:
    plain = {"command": "plain", "env": {"b": "2", "a": "1"}, "args": []}
    assert FORM.apply(None, {"zeta": plain, "alpha": {"command": "x", "env": {}}}) == (
        b'# <vaultspec type="mcps">\n'
        b'[mcp_servers."alpha"]\n'
        b'command = "x"\n'
        b"\n"
        b'[mcp_servers."zeta"]\n'
        b"args = []\n"
        b'command = "plain"\n'
        b'env = { "a" = "1", "b" = "2" }\n'
        b"# </vaultspec>\n"
    )


@requirement("NAT-4")
def test_strings_are_escaped_where_toml_asks_for_it_and_literal_elsewhere() -> None:
    entry = {"command": 'C:\\x "y"\n\t\x00\x1f\x7f\u0085\u2028\U0001f600', "env": {"\U0001f600": "", "a.b": ""}}
    after = FORM.apply(None, {"n\x7f\u00e9": entry})
    assert after is not None
    assert after.decode().splitlines(keepends=False)[1:2] == ['[mcp_servers."n\\u007f\u00e9"]']
    assert b'command = "C:\\\\x \\"y\\"\\n\\t\\u0000\\u001f\\u007f\xc2\x85\xe2\x80\xa8\xf0\x9f\x98\x80"\n' in after
    assert b'env = { "a.b" = "", "\xf0\x9f\x98\x80" = "" }\n' in after
    assert tomllib.loads(after.decode()) == {"mcp_servers": {"n\x7f\u00e9": entry}}


def test_a_region_gives_no_ownership() -> None:
    reading = FORM.read(DOCUMENTED, [])
    assert reading.region == frozenset({OURS})
    assert FORM.apply(DOCUMENTED, {}, []) is DOCUMENTED
    assert not reading.displaced


@requirement("D-8")
def test_a_server_of_others_in_our_region_is_neither_moved_nor_removed() -> None:
    data = DOCUMENTED.replace(b"# </vaultspec>", b'[mcp_servers.mine]\ncommand = "mine"\n# </vaultspec>')
    assert FORM.apply(data, {OURS: None}, [OURS]) == (
        b'# <vaultspec type="mcps">\n[mcp_servers.mine]\ncommand = "mine"\n# </vaultspec>\n'
    )


@requirement("NAT-7")
@pytest.mark.parametrize(
    "text",
    [
        '[mcp_servers.vaultspec-core]\ncommand = "uvx"\n',
        "  [mcp_servers . 'vaultspec-core']\n  command='uvx' # here\n  env = {}\n",
        '[mcp_servers."vaultspec\\u002dcore"]\n"command" = """\nuvx"""\n\n[mcp_servers.vaultspec-core.env]\n',
    ],
)
def test_an_entry_that_a_client_spells_its_own_way_is_left_alone(text: str) -> None:
    data = f'# <vaultspec type="mcps">\n{text}# </vaultspec>\n'.encode()
    assert not FORM.read(data, [OURS]).displaced
    assert FORM.apply(data, {OURS: {"command": "uvx"}}, [OURS]) is data


@requirement("NAT-7", "D-3")
def test_markers_may_be_lost_again_and_again() -> None:
    lost = b"".join(line for line in DOCUMENTED.splitlines(keepends=True) if not line.startswith(b"#"))
    for _ in range(3):
        assert FORM.read(lost, [OURS]).displaced
        assert FORM.apply(lost, {}, [OURS]) == DOCUMENTED


@requirement("NAT-3")
def test_nothing_to_change_gives_the_same_object_back() -> None:
    for data in (None, b"", b"\n", b"x = 1\r\n", DOCUMENTED):
        assert FORM.apply(data, {}) is data
        assert FORM.apply(data, {"absent": None}) is data


@requirement("NAT-6")
def test_a_value_that_toml_cannot_say_is_refused() -> None:
    for value in (None, object(), {"a": None}, 2**63):
        with pytest.raises(HostFileError, match="cannot be written as TOML"):
            FORM.apply(b"x = 1", {"name": {"command": value}})


@requirement("NAT-6")
def test_a_large_file_is_edited_in_its_own_place() -> None:
    table = '[mcp_servers."s{0}"]\ncommand = "x" # {0}\nargs = ["-y", \'{0}\', """\n[x]\n"""]\n\n'
    text = "".join(table.format(number) for number in range(4000))
    after = FORM.apply(text.encode(), {OURS: ENTRIES["tool"]})
    assert after == text.encode() + b"\n" + DOCUMENTED
    assert FORM.apply(after, {OURS: None}, [OURS]) == text.encode()


@requirement("NAT-6")
@pytest.mark.parametrize(
    "text",
    ['"""\\' * 20000, "'''" * 20001, "a." * 50000 + "b = 1", "[" * 50000, "a" * 100000, "{ a." * 20000, '"\\' * 50000],
)
def test_text_made_to_be_slow_is_refused_at_once(text: str) -> None:
    for data in (text, f"x = {text}", f"[mcp_servers]\nx = {text}"):
        with pytest.raises(HostFileError):
            FORM.read(data.encode())


def test_a_file_of_plain_lines_is_read_without_tomllib() -> None:
    script = (
        "import sys, pathlib; from vaultspec_providers.formats.toml_region import TomlRegion;"
        "TomlRegion('mcp_servers').read(pathlib.Path(sys.argv[1]).read_bytes(), ['vaultspec-core']);"
        "print([name for name in ('tomllib', 'tomlkit', 'dataclasses', 'datetime') if name in sys.modules])"
    )
    for case in ("absent/add.toml", "client-added/before.toml", "settings/refresh.toml", "several/before.toml"):
        done = subprocess.run([sys.executable, "-c", script, CORPUS / case], capture_output=True, text=True, check=True)
        assert done.stdout == "[]\n"
