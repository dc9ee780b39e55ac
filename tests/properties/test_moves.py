"""A rename and the rename back, an archiving and the way back, leave every byte as it was."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import tree
from tests.requirements import requirement
from vaultspec_core.vault.archive import archive_feature, restore_feature
from vaultspec_core.vault.rename import rename, rename_feature
from vaultspec_core.vault.together import together
from vaultspec_core.vault.vault import Vault

STEMS = ("2026-01-01-old-adr", "2026-01-02-old-research", "2026-01-03-auth-adr")
PATHS = ("adr/2026-01-01-old-adr.md", "research/2026-01-02-old-research.md", "adr/2026-01-03-auth-adr.md")

LINK = st.sampled_from([*STEMS, "lost", "adr/2026-01-01-old-adr"])
ENTRY = st.builds(
    lambda link, tail, quote, comment: f"{quote}[[{link}{tail}]]{quote}{comment}",
    LINK,
    st.sampled_from(["", "|shown", "#Heading", ".md"]),
    st.sampled_from(["'", '"']),
    st.sampled_from(["", "  # why 2026-01-01-old-adr", " #x"]),
)
RELATED = st.lists(ENTRY, max_size=4).map(lambda entries: "".join(f"  - {entry}\n" for entry in entries))
PIECE = st.builds(
    lambda link, form: form.format(link),
    LINK,
    st.sampled_from(
        ["[[{}]]", "see [[{}|it]], ", "`[[{}]]`", "<!-- [[{}]] -->", "{}", "```\n[[{}]]\n```\n", "[x](../adr/{}.md)"]
    ),
)
BODY = st.lists(PIECE | st.sampled_from(["\n", "  \n", "# Title\n", "\t", "é", "- "]), max_size=8).map("".join)


@st.composite
def documents(draw: Any) -> list[bytes]:
    """The bytes of the three documents."""
    made = []
    for path in PATHS:
        feature = "auth" if "auth" in path else "old"
        related = draw(RELATED)
        tags = draw(st.sampled_from(["['#x', '#{}']  # t", "\n  - '#x'\n  - \"#{}\" # mine", "[x, {}]"])).format(
            feature
        )
        tags = tags.replace("x", path.partition("/")[0])
        fields = f"tags: {tags}\nother: 2026-01-01-old-adr # kept\n" + (f"related:\n{related}" if related else "")
        text = f"---\n{fields}---\n{draw(BODY)}"
        if draw(st.booleans()):
            text = text.replace("\n", "\r\n")
        made.append(draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode())
    return made


def there_and_back(contents: list[bytes], there: Callable[[Vault], Any], back: Callable[[Vault], Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        vault = Vault.open(made(Path(folder).resolve(), contents), today=lambda: "2026-08-01")
        before = {name: data for name, (data, _) in tree(vault.folder).items()}
        with together(vault) as staged:
            there(staged)
        assert set(tree(vault.folder)) != set(before)
        with together(vault) as staged:
            back(staged)
        assert {name: data for name, (data, _) in tree(vault.folder).items()} == before


def made(root: Path, contents: list[bytes]) -> Path:
    for inside, data in zip(PATHS, contents, strict=True):
        path = root / ".vault" / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


@requirement("CLI-1")
@given(documents())
@settings(max_examples=60, deadline=None)
def test_a_document_that_is_renamed_back_and_its_links_are_as_they_were(contents: list[bytes]) -> None:
    there_and_back(
        contents,
        lambda vault: rename(vault, STEMS[0], "2026-01-09-new-adr"),
        lambda vault: rename(vault, "2026-01-09-new-adr", STEMS[0]),
    )


@requirement("CLI-1")
@given(documents())
@settings(max_examples=60, deadline=None)
def test_a_feature_that_is_renamed_back_and_its_links_are_as_they_were(contents: list[bytes]) -> None:
    there_and_back(
        contents,
        lambda vault: rename_feature(vault, "old", "new"),
        lambda vault: rename_feature(vault, "new", "old"),
    )


@requirement("CLI-1")
@given(documents())
@settings(max_examples=30, deadline=None)
def test_a_feature_that_comes_back_from_the_archive_is_as_it_was(contents: list[bytes]) -> None:
    there_and_back(
        contents,
        lambda vault: archive_feature(vault, "old"),
        lambda vault: restore_feature(vault, "old"),
    )
