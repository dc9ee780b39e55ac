"""Literal secrets: what is taken for one, what is not, and that no output shows a value."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.requirements import requirement
from vaultspec_core.changeset import Change, unified_diff
from vaultspec_installer.definition import CUSTOM, Definition
from vaultspec_installer.secret_shapes import announces, conceal, is_reference
from vaultspec_installer.secrets import find_secrets, redact_args, redact_text

SHAPED = {
    "an sk key": "sk-live-0123456789abcdef",
    "a payment key": "sk_test_4eC39HqLyjWD",
    "a GitHub token": "ghp_0123456789abcdefABCD",
    "a fine-grained token": "github_pat_11ABCDEFG0123456789",
    "a GitLab token": "glpat-abcdefghij12345",
    "a Slack token": "xoxb-123456789012-abcdef",
    "an AWS key id": "AKIAIOSFODNN7EXAMPLE",
    "a Google key": "AIzaSyA0123456789abcdefghijklmnopqrstu",
    "a package index token": "pypi-AgEIcHlwaS5vcmcCJGI0",
    "a JSON web token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN",
    "a private key": "-----BEGIN RSA PRIVATE KEY-----MIIEow",
    "random text": "aGVsbG8gd29ybGQxMjM0NTY3ODkwYWJjZGVmZ2g",
    "a bearer header": "Authorization: Bearer abcdefgh12345678",
    "a key header": "X-Api-Key: hunter2",
    "credentials in a URL": "postgres://user:hunter2@db/x",
    "a token in a URL": "https://0123456789abcdefghij@example.org/x",
    "a query": "https://example.org/mcp?region=eu&api_key=hunter2",
    "an assignment": "Server=db;Password=hunter2",
    "JSON": '{"client_secret": "hunter2"}',
    "a reference with a literal default": "${KEY:-sk-live-0123456789abcdef}",
}
PLAIN = [
    "--from",
    "vaultspec-core",
    "vaultspec-core[mcp]>=1.0,<2",
    "python",
    "-m",
    "vaultspec_core.mcp_server.app",
    "/srv/data/token/key.json",
    "C:\\keys\\secret.txt",
    "git+https://github.com/a/b@0123456789abcdef0123456789abcdef01234567",
    "git+ssh://git@github.com/a/b.git",
    "https://example.org/mcp?region=eu&sort_key=name",
    "https://${USER}:${PASSWORD}@example.org",
    "Authorization: Bearer ${TOKEN}",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
    "a_very_long_module_name.with.parts_1_2_3_4_and_more_of_them",
    "foo-sk-estimators-extra",
    "MyVeryLongCamelCaseIdentifierNumber1",
    "--token-limit=4096",
    "--key-file=/etc/key",
    "--max-tokens",
    "--password-file",
    "a=b",
    "",
]


def definition(*args: str, env: dict[str, str] | None = None, command: str = "x") -> Definition:
    return Definition("x", Path("x.json"), CUSTOM, command, args, env or {})


@requirement("DEF-6")
def test_plain_arguments_are_no_secrets_and_are_shown_as_they_are() -> None:
    assert find_secrets(definition(*PLAIN)) == []
    assert redact_args(PLAIN) == tuple(PLAIN)


@requirement("DEF-6")
def test_a_templated_definition_has_no_secrets() -> None:
    args = ("@@VAULTSPEC_INSTALL_MODE_ARGS@@",)
    core = Definition("x", Path("x"), CUSTOM, "@@VAULTSPEC_INSTALL_MODE_COMMAND@@", args, templated=True)
    assert find_secrets(core) == []


@requirement("DEF-6")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VAULTSPEC_TARGET_DIR", "/srv/x"),
        ("API_KEY", "${API_KEY}"),
        ("API_KEY", "$API_KEY"),
        ("API_KEY", "${env:API_KEY}"),
        ("API_KEY", "{env:API_KEY}"),
        ("API_KEY", "%API_KEY%"),
        ("API_KEY", ""),
        ("API_KEY", "<your key>"),
        ("API_KEY", "xxxx"),
        ("AUTHORIZATION", "Bearer ${TOKEN}"),
        ("AUTH", "oauth"),
        ("SSH_AUTH_SOCK", "/tmp/agent"),
        ("TOKENIZERS_PARALLELISM", "false"),
        ("MAX_TOKENS", "4096"),
        ("TOKEN_LIMIT", "100000"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/etc/key.json"),
        ("PASSWORD_FILE", "secret.txt"),
        ("TOKEN_URL", "https://example.org/token"),
        ("SORT_KEY", "created_at"),
        ("KEYBOARD", "us"),
        ("MONKEY", "george1234567"),
        ("PUBLIC_KEY", "abcdefgh12345678"),
        ("HOME", "~"),
    ],
)
def test_plain_variables_and_references_are_no_secrets(name: str, value: str) -> None:
    assert find_secrets(definition(env={name: value})) == []


@requirement("DEF-6")
@pytest.mark.parametrize("value", SHAPED.values(), ids=SHAPED)
def test_what_is_shaped_like_a_secret_is_found_anywhere(value: str) -> None:
    found = find_secrets(definition("--plain", value, env={"PLAIN": value}, command=value))
    assert found == ["/command", "/args/1", "/env/PLAIN"]


@requirement("DEF-6")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("API_KEY", "hunter2"),
        ("apiKey", "hunter2"),
        ("GITHUB_TOKEN", "x"),
        ("token", "x"),
        ("DB_PASSWORD", "hunter2"),
        ("AWS_SECRET_ACCESS_KEY", "wJalr/XUtnFEMI"),
        ("CLIENT_SECRET2", "x"),
        ("SESSION_COOKIE", "a=b"),
        ("STORAGE_KEY", "a1b2c3d4e5f6g7"),
    ],
)
def test_what_is_called_a_secret_is_found_by_its_name(name: str, value: str) -> None:
    assert find_secrets(definition(env={"A": "b", name: value})) == [f"/env/{name}"]


@requirement("DEF-6")
@pytest.mark.parametrize(
    ("args", "found", "shown"),
    [
        (("--token", "x"), ["/args/1"], ("--token", "***")),
        (("--token=x",), ["/args/0"], ("--token=***",)),
        (("-x", "--api-key", "-abc", "y"), ["/args/2"], ("-x", "--api-key", "***", "y")),
        (("--apiKey", "x"), ["/args/1"], ("--apiKey", "***")),
        (("--key", "/etc/key"), [], ("--key", "***")),
        (("--token", "--verbose"), [], ("--token", "--verbose")),
        (("--token", "${TOKEN}"), [], ("--token", "${TOKEN}")),
        (("--token=$TOKEN",), [], ("--token=$TOKEN",)),
        (("--password",), [], ("--password",)),
        (("API_TOKEN=hunter2", "x"), ["/args/0"], ("API_TOKEN=***", "x")),
        (("--url=https://h/?api_key=abcd&a=b",), ["/args/0"], ("--url=https://h/?api_key=***&a=b",)),
        (("https://user:hunter2@h/x",), ["/args/0"], ("https://***@h/x",)),
        (("--header", "Authorization: Bearer abcdefgh12345678"), ["/args/1"], ("--header", "Authorization: ***")),
    ],
)
def test_what_a_token_like_flag_is_given_is_hidden(
    args: tuple[str, ...], found: list[str], shown: tuple[str, ...]
) -> None:
    assert find_secrets(definition(*args)) == found
    assert redact_args(args) == shown


JSON = """{
  // the user's own "token": see the wiki
  "numStartups": 5,
  "primaryApiKey": "hunter2",
  "oauthAccount": {"accessToken": "hunter2", "name": "ann"},
  "mcpServers": {
    "a": {
      "command": "npx",
      "args": ["--token", "hunter2", "plain", "--api-key=hunter2"],
      "env": {"A": "hunter2", "B": "${B}", "C": ""}
    },
    "b": {
      "args": [
        "--api-key",
        "hunter2",
        "https://ann:hunter2@example.org/",
        "sk-live-0123456789abcdef"
      ],
      "env": {
        "A": "hunter2"
      },
      "url": "https://example.org/?token=hunter2&x=1",
      "headers": {"X-Team": "hunter2", "Authorization": "Bearer ${TOKEN}"}
    }
  }
}
"""
JSON_SHOWN = """{
  // the user's own "token": ***
  "numStartups": 5,
  "primaryApiKey": "***",
  "oauthAccount": {"accessToken": "***", "name": "ann"},
  "mcpServers": {
    "a": {
      "command": "npx",
      "args": ["--token", "***", "plain", "--api-key=***"],
      "env": {"A": "***", "B": "${B}", "C": ""}
    },
    "b": {
      "args": [
        "--api-key",
        "***",
        "https://***@example.org/",
        "***"
      ],
      "env": {
        "A": "***"
      },
      "url": "https://example.org/?token=***&x=1",
      "headers": {"X-Team": "***", "Authorization": "Bearer ${TOKEN}"}
    }
  }
}
"""
TOML = """# [not a table
model = "x"
[mcp_servers."a"]
args = ["--from", "b", "--password", "hunter2"]
env = { "A" = "hunter2", B = 'hunter2' }
bearer_token_env_var = "TOKEN"

[mcp_servers.a.env]  # theirs
C = "hunter2"
D = 5

[other]
E = "shown"
api_key = "hunter2"
"""
YAML = """extensions:
  search:
    cmd: npx
    envs:
      A: hunter2 hunter2
      B: "hunter2"
    args:
      - --token
      - hunter2
      - plain
    uri: https://ann:hunter2@example.org/x
  other:
    password: hunter2
"""


@requirement("DEF-6")
def test_a_json_file_is_shown_without_its_secrets() -> None:
    assert redact_text(JSON) == JSON_SHOWN


@requirement("DEF-6")
def test_a_toml_file_is_shown_without_its_secrets() -> None:
    expected = TOML.replace("hunter2", "***").replace("D = 5", "D = ***")
    assert redact_text(TOML) == expected


@requirement("DEF-6")
def test_a_yaml_file_is_shown_without_its_secrets() -> None:
    assert redact_text(YAML) == YAML.replace("ann:hunter2", "***").replace("hunter2 hunter2", "***").replace(
        "hunter2", "***"
    )


@requirement("DEF-6")
@pytest.mark.parametrize("text", [YAML, TOML, JSON])
def test_hiding_twice_is_hiding_once(text: str) -> None:
    shown = redact_text(text)
    assert redact_text(shown) == shown
    assert shown.count("\n") == text.count("\n")


@requirement("DEF-6")
def test_text_without_secrets_is_shown_as_it_is() -> None:
    for text in ("", "\n", '{"a": [1, "x", {"b": null}]}\n', "# [x]\na = '''\n[b]\n'''\n", "not: [closed\n", "]}\n"):
        assert redact_text(text) == text


@requirement("D-20")
def test_a_diff_hides_secrets_in_context_lines_of_the_users_own_file() -> None:
    before = JSON.replace('"npx"', '"old"')
    diff = unified_diff([Change(Path("x.json"), before.encode(), JSON.encode())], str, redact_text)
    assert (
        diff
        == """--- a/x.json
+++ b/x.json
@@ -5,7 +5,7 @@
   "oauthAccount": {"accessToken": "***", "name": "ann"},
   "mcpServers": {
     "a": {
-      "command": "old",
+      "command": "npx",
       "args": ["--token", "***", "plain", "--api-key=***"],
       "env": {"A": "***", "B": "${B}", "C": ""}
     },
"""
    )


@requirement("D-20", "DEF-6")
def test_a_diff_hides_a_value_whose_flag_or_key_is_out_of_sight() -> None:
    lines = ["{", '"env": {', *(f'"A{n}": "hunter2",' for n in range(9)), '"Z": "old"', "}", "}", ""]
    before = "\n".join(lines)
    diff = unified_diff([Change(Path("x"), before.encode(), before.replace("old", "new").encode())], str, redact_text)
    assert (
        diff
        == """--- a/x
+++ b/x
@@ -9,6 +9,6 @@
 "A6": "***",
 "A7": "***",
 "A8": "***",
-"Z": "***"
+"Z": "***"
 }
 }
"""
    )


SECRET = st.text(alphabet="abcXYZ0189_-./+=é \\\"'", min_size=3, max_size=12).map(lambda text: f"s3kr1t{text}s3kr1t")


@requirement("DEF-6")
@settings(max_examples=150, deadline=None)
@given(SECRET, st.integers(0, 4))
def test_no_env_value_and_nothing_after_a_token_like_flag_is_ever_shown(secret: str, indent: int) -> None:
    entry = {"command": "x", "args": ["--from", "y", "--token", secret, "z"], "env": {"A": "b", "VALUE": secret}}
    shown = redact_text(json.dumps({"mcpServers": {"a": entry}}, indent=indent or None))
    assert "s3kr1t" not in shown
    assert json.loads(shown)["mcpServers"]["a"] == {
        "command": "x",
        "args": ["--from", "y", "--token", "***", "z"],
        "env": {"A": "***", "VALUE": "***"},
    }
    assert redact_args(entry["args"]) == ("--from", "y", "--token", "***", "z")


@requirement("DEF-6")
@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_can_be_hidden_in_and_keeps_its_lines(text: str) -> None:
    assert redact_text(text).count("\n") == text.count("\n")


@requirement("DEF-6")
@pytest.mark.parametrize(
    "piece",
    [
        '"\\',
        "a.a-",
        "{[",
        "a=",
        "http://",
        '"',
        "env:\n",
        "-----BEGIN ",
        "sk-a",
        "'x",
        "a ",
        "a 'b' ",
        "a, ",
        "--token ",
        "-u a:",
        "token: [",
        "a='",
        "# a: b\n",
    ],
)
def test_long_lines_of_anything_are_walked_once(piece: str) -> None:
    assert redact_text(piece * 20_000).count("\n") == piece.count("\n") * 20_000


def test_the_last_word_of_a_name_decides() -> None:
    assert [
        name for name in ("token", "Token", "x-api-key", "privateKey", "key", "auth_token_2") if not announces(name)
    ] == []
    assert [name for name in ("tokens", "key_id", "keys", "monkey", "token_file", "", "7") if announces(name)] == []


def test_a_reference_says_where_and_nothing_else() -> None:
    assert [
        text
        for text in ("${A}", "$A", "${env:A}", "{env:A}", "%A%", "Basic ${A}", "${{ A }}")
        if not is_reference(text)
    ] == []
    assert [text for text in ("", "A", "x${A}", "${A:-b}", "Bearer x", "$") if is_reference(text)] == []


def test_short_text_is_left_alone() -> None:
    assert [conceal(text) for text in ("", "a", "a=b", "k:v")] == ["", "a", "a=b", "k:v"]
