"""A secret planted anywhere in a configuration or a command line is never shown, and what holds none is shown as it is."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest
import tomlkit
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_installer.secrets import redact_args, redact_text

MARK = "zq"
WORDS = [
    ["api", "key"],
    ["token"],
    ["password"],
    ["secret"],
    ["credentials"],
    ["pat"],
    ["private", "key"],
    ["dsn"],
    ["passwords"],
]
STYLES = (
    "_".join,
    "-".join,
    lambda words: "_".join(words).upper(),
    lambda words: words[0] + "".join(map(str.title, words[1:])),
)


def marked(alphabet: str) -> st.SearchStrategy[str]:
    """Text with the mark in each part of it, so that no part can be shown unseen."""
    part = st.text(alphabet=alphabet, min_size=1, max_size=6)
    return st.lists(part, min_size=1, max_size=4).map(lambda parts: MARK + "".join(part + MARK for part in parts))


ONE_LINE = marked("abXY019-_.,:;=+/@#|>&*!%[]{}'\"\\ é")
ANY = marked("abXY01-:= #'\"\\[]{},|é\n")
WORD = marked("abXY019-_.+=/@%")
NAMES = st.builds(
    lambda before, words, style: style([*before, *words]),
    st.sampled_from([[], ["github"], ["db", "main"]]),
    st.sampled_from(WORDS),
    st.sampled_from(STYLES),
)
PLAIN_NAMES = st.sampled_from(
    ["command", "name", "model", "max_tokens", "token_limit", "sortKey", "theme", "keybindings"]
)
PLAIN_VALUES = st.sampled_from(
    [
        "npx",
        "vaultspec-core",
        "--from",
        "/srv/x",
        "${VAR}",
        "https://h/x",
        "two words",
        "a@b.org",
        "x: y",
        "git+ssh://git@h/a",
    ]
)


def holders(secret: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    return st.one_of(
        secret,
        st.lists(secret, min_size=1, max_size=3),
        st.dictionaries(PLAIN_NAMES, secret, min_size=1, max_size=2),
        st.dictionaries(PLAIN_NAMES, st.lists(secret, min_size=1, max_size=2), min_size=1, max_size=2),
    )


def planted(secret: st.SearchStrategy[str]) -> st.SearchStrategy[dict[str, Any]]:
    """A mapping with plain members and secrets under names that announce them, at any depth."""
    plain = st.dictionaries(PLAIN_NAMES, PLAIN_VALUES, max_size=3)
    hiding = st.dictionaries(NAMES, holders(secret), min_size=1, max_size=2)
    level = st.builds(lambda a, b, c: {**a, **b, **c}, plain, hiding, plain)
    return st.one_of(level, st.builds(lambda a, b, c: {**a, "servers": {"one": b}, **c}, plain, level, level))


def hidden(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: hidden(member) for name, member in value.items()}
    if isinstance(value, list):
        return [hidden(member) for member in value]
    return "***" if MARK in value else value


@requirement("DEF-6", "D-20")
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('api_key = """\nhunter2\n"""\na = 1\n', 'api_key = """***\n***\n***\na = 1\n'),
        ('# old: api_key = "hunter2"\n', '# old: api_key = "***"\n'),
        ('# [env]\n# A = "hunter2"\n', '# [env]\n# A = "***"\n'),
        ("password: |\n  hunter2\n  a: hunter2\nb: c\n", "password: |\n  ***\n  ***\nb: c\n"),
        ('{"secrets": {"db": ["hunter2"]}, "b": "c"}', '{"secrets": {"db": ["***"]}, "b": "c"}'),
        ('["--header=Authorization: Basic hunter2"]', '["--header=Authorization: ***"]'),
    ],
)
def test_every_way_to_write_a_value_is_hidden(text: str, shown: str) -> None:
    assert redact_text(text) == shown


@requirement("DEF-6", "D-20")
@settings(max_examples=120, deadline=None)
@given(planted(ANY), st.sampled_from([None, 0, 2, "\t"]))
def test_a_secret_in_json_is_hidden_and_nothing_else(tree: dict[str, Any], indent: int | str | None) -> None:
    assert json.loads(redact_text(json.dumps(tree, indent=indent, ensure_ascii=False))) == hidden(tree)


@requirement("DEF-6", "D-20")
@settings(max_examples=120, deadline=None)
@given(planted(ANY), st.booleans(), st.booleans())
def test_a_secret_in_toml_is_hidden_and_nothing_else(tree: dict[str, Any], multiline: bool, inline: bool) -> None:
    def item(value: Any) -> Any:
        if isinstance(value, dict):
            table = tomlkit.inline_table() if inline else tomlkit.table()
            for name, member in value.items():
                table.append(name, item(member))
            return table
        if isinstance(value, list):
            array = tomlkit.array().multiline(multiline)
            for member in value:
                array.append(item(member))
            return array
        return tomlkit.string(value, multiline=multiline)

    document = tomlkit.document()
    for name, value in sorted(tree.items(), key=lambda pair: isinstance(pair[1], dict)):
        document.append(name, item(value))
    text = tomlkit.dumps(document)
    shown = redact_text(text)
    assert MARK not in shown
    assert shown.count("\n") == text.count("\n")
    if "\n" not in "".join(map(str, tree.values())) and not multiline:
        assert tomlkit.parse(shown).unwrap() == hidden(tree)


@requirement("DEF-6", "D-20")
@settings(max_examples=200, deadline=None)
@given(
    planted(ANY),
    st.sampled_from([None, "'", '"', "|", ">"]),
    st.sampled_from([None, True, False]),
    st.sampled_from([12, 80]),
    st.sampled_from([2, 4]),
)
def test_a_secret_in_yaml_is_never_shown(
    tree: dict[str, Any], style: str | None, flow: bool | None, width: int, indent: int
) -> None:
    text = yaml.safe_dump(
        tree,
        default_style=style,
        default_flow_style=flow,
        width=width,
        indent=indent,
        allow_unicode=True,
        sort_keys=False,
    )
    shown = redact_text(text)
    assert MARK not in shown
    assert shown.count("\n") == text.count("\n")


@requirement("DEF-6", "D-20")
@settings(max_examples=120, deadline=None)
@given(NAMES, ONE_LINE, st.sampled_from(["{}={}", "export {}={}", "# {}={}", "{} = {}", "{}: {}", "#{}: {}"]))
def test_a_secret_on_a_line_of_its_own_is_never_shown(name: str, secret: str, line: str) -> None:
    assert redact_text(f"A=b\n{line.format(name, secret)}\nC=d\n") == f"A=b\n{line.format(name, '***')}\nC=d\n"
    assert MARK not in redact_text(f"A=b\n{line.format(name, json.dumps(secret))}\nC=d\n")


@requirement("DEF-6")
@settings(max_examples=120, deadline=None)
@given(NAMES, ONE_LINE, WORD)
def test_a_secret_in_arguments_is_never_shown(name: str, secret: str, word: str) -> None:
    flag = f"--{name}"
    argv = [
        *(
            "npx",
            flag,
            secret,
            f"{flag}={secret}",
            f"{name}={secret}",
            f"--header={name}: {secret}",
            "-H",
            f"{name}: {secret}",
        ),
        *(
            "-u",
            f"bob:{secret}",
            "--user",
            f"bob:{secret}",
            f"-ubob:{secret}",
            f"--user=bob:{secret}",
            "-e",
            f"PLAIN={secret}",
        ),
        *(f"https://h/?a=b&{name}={word.replace('+', '')}", f"foo @ https://u:{word.replace('/', '')}@h/foo.whl"),
        *(f"postgres://u:{word.replace('/', '')}@h/db", f"redis://:{word.replace('@', '')}@h", "last"),
    ]
    shown = redact_args(argv)
    assert MARK not in " ".join(shown)
    assert (shown[0], shown[-1], len(shown)) == ("npx", "last", len(argv))
    entry = json.dumps({"command": "x", "args": argv}, indent=1, ensure_ascii=False)
    assert MARK not in redact_text(entry)
    script = (
        f"{name.replace('-', '_')}={shlex.quote(word)} foo {flag} {shlex.quote(word)} {flag}={word} -u bob:{word} --x y"
    )
    assert MARK not in " ".join(redact_args(["sh", "-c", script]))
    assert redact_args(["sh", "-c", f"export A=b; foo {flag} {word} --x y"])[2] == f"export A=b; foo {flag} *** --x y"
    assert MARK not in redact_text(yaml.safe_dump({"cmd": script, "args": argv}, allow_unicode=True))


@requirement("DEF-6", "D-20")
@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(PLAIN_NAMES, st.one_of(PLAIN_VALUES, st.lists(PLAIN_VALUES), st.booleans(), st.integers())),
    st.sampled_from([None, True, False]),
)
def test_what_holds_no_secret_is_shown_as_it_is(tree: dict[str, Any], flow: bool | None) -> None:
    for text in (
        json.dumps(tree, indent=2),
        json.dumps(tree),
        tomlkit.dumps(tree),
        yaml.safe_dump(tree, default_flow_style=flow),
        "".join(f"{name}={value}\n" for name, value in tree.items()),
        "".join(f"# {name} = {value}\n" for name, value in tree.items()),
    ):
        assert redact_text(text) == text
