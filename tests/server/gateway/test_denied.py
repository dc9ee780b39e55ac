"""Nothing starts for a verb that is denied or unknown, for an option that does not pass, or for a path that leaves the workspace."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import tree
from tests.requirements import requirement
from tests.server.gateway.conftest import Invoke
from tests.server.gateway.test_table import DENYLIST
from vaultspec_core.mcp_server.frame import INVALID_PARAMS, Fault
from vaultspec_core.mcp_server.gateway_catalogue import catalogue
from vaultspec_installer.table import all_verbs

VERBS = all_verbs()
DENIED = [verb for verb in VERBS if verb.denied]


@pytest.fixture
def closed(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace whose catalogue is known and in which no further process can be started."""
    catalogue(workspace)
    monkeypatch.setattr(sys, "executable", str(workspace / "nothing"))
    return workspace


def refused(call: Invoke, *words: Any) -> dict[str, Any]:
    with pytest.raises(Fault) as fault:
        call(*words)
    assert fault.value.code == INVALID_PARAMS
    return {"message": fault.value.message, "data": fault.value.data}


@requirement("GTW-2", "SRV-3")
@pytest.mark.usefixtures("closed")
def test_every_denied_verb_is_refused_before_a_process_starts(call: Invoke) -> None:
    with pytest.raises(Fault, match="cannot be started"):
        call("version")
    for verb in DENIED:
        error = refused(call, f" {verb.name.replace(' ', '   ')} ")
        if verb.hidden:
            assert error["data"]["code"] == "unknown-verb"
            continue
        hint = f"Run `vaultspec-core {verb.name}` at a terminal."
        assert error["message"] == f"`{verb.name}` is on the gateway's denylist: {verb.denied} (hint: {hint})"
        assert error["data"] == {"code": "verb-denied", "hint": hint, "verb": verb.name}


@requirement("GTW-2")
@pytest.mark.usefixtures("closed")
def test_the_documented_denylist_is_refused_entire(call: Invoke) -> None:
    for name in DENYLIST:
        assert refused(call, name)["data"]["code"] in ("verb-denied", "unknown-verb")


@requirement("GTW-1", "SRV-3")
@pytest.mark.usefixtures("closed")
@pytest.mark.parametrize(
    "verb",
    ["", " ", "vault", "vaultspec-core version", "version --json", "Version", "sync --check", "version; sync", "-m"],
)
def test_words_that_are_no_verb_are_refused(call: Invoke, verb: str) -> None:
    error = refused(call, verb)
    assert error["data"]["code"] == "unknown-verb"
    assert error["message"].startswith(f"there is no verb `{' '.join(verb.split())}`")


@requirement("GTW-1")
@pytest.mark.usefixtures("closed")
def test_the_verb_is_judged_before_its_operands_and_those_before_its_options(call: Invoke) -> None:
    wrong: dict[str, Any] = {"target": "/"}
    assert refused(call, "sync", wrong, ["--x"])["data"]["code"] == "verb-denied"
    assert refused(call, "sing", wrong, ["--x"])["data"]["code"] == "unknown-verb"
    assert refused(call, "version", wrong, ["--x"])["message"].startswith("operand `--x`")
    assert refused(call, "version", wrong, [])["message"].startswith("`target` is `--target`")


@requirement("GTW-1", "GTW-3")
@pytest.mark.usefixtures("closed")
def test_no_verb_takes_a_reserved_option_or_an_editor(call: Invoke) -> None:
    for verb in VERBS:
        if verb.denied is None and not verb.hidden:
            for key in ("target", "--target", "json", "help", "editor", "--editor"):
                assert refused(call, verb.name, {key: "x"})["data"]["code"] == "invalid-argument"


@requirement("GTW-3")
def test_editing_without_an_editor_says_how_else(call: Invoke, document: Path) -> None:
    result = call("vault edit", {}, [document.stem])
    assert (result["ok"], result["exit_code"], result["error"]["kind"]) == (False, 2, "nonzero_exit")
    assert "an editor is opened only at a terminal" in result["error"]["stderr"]


@pytest.fixture
def document(documents: Path) -> Iterator[Path]:
    """A document that must be the same afterwards, and everything else too."""
    before = tree(documents.parent)
    yield documents / ".vault/adr/2026-07-12-search-api-adr.md"
    assert tree(documents.parent) == before


@requirement("GTW-4")
def test_no_file_outside_is_read_into_a_document(call: Invoke, document: Path, tmp_path: Path) -> None:
    secret = tmp_path / "home" / "secret.md"
    secret.write_text("secret", encoding="utf-8")
    for path in (str(secret), "../home/secret.md", ".vault/../../home/secret.md", f"@{secret}"):
        error = refused(call, "vault set-body", {"body-file": path}, [document.stem])
        assert error["message"].startswith(f"`--body-file` leads out of the workspace: `{path}`")
    secret.unlink()


@requirement("GTW-4")
def test_a_link_that_leaves_is_no_way_out(call: Invoke, documents: Path, tmp_path: Path) -> None:
    secret = tmp_path / "home" / "secret.md"
    secret.write_text("secret", encoding="utf-8")
    (documents / "inside.md").symlink_to(secret)
    error = refused(call, "vault set-body", {"body-file": "inside.md"}, ["2026-07-12-search-api-adr"])
    assert error["message"].startswith("`--body-file` leads out of the workspace: `inside.md`")


@requirement("GTW-4")
def test_no_document_outside_is_written(call: Invoke, document: Path, tmp_path: Path) -> None:
    outside = tmp_path / "home" / document.name
    for reference in (str(outside), f"../home/{document.name}", f".vault/research/../../../home/{document.name}"):
        error = refused(call, "vault set-frontmatter", {"date": "2026-07-13"}, [reference])
        assert error["message"].startswith(f"operand REF leads out of the workspace: `{reference}`")


@requirement("GTW-4")
def test_the_empty_input_never_becomes_a_body(call: Invoke, document: Path) -> None:
    assert refused(call, "vault set-body", {"body_stdin": True}, [document.stem])["data"]["code"] == "invalid-argument"


@requirement("GTW-4")
@pytest.mark.usefixtures("prepared")
def test_an_existing_document_is_not_overwritten(call: Invoke, document: Path) -> None:
    result = call("vault add", {"feature": "search-api", "date": "2026-07-12"}, ["adr"])
    assert (result["ok"], result["exit_code"]) == (False, 1)
    assert document.name in result["data"]["message"]
    assert "force" in refused(call, "vault add", {"feature": "search-api", "force": True}, ["adr"])["message"]
