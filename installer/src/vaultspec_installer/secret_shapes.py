"""What looks like a secret: names that announce one, values shaped like one, and values that only refer to one.

Expressions are compiled on first use: most definitions hold nothing to look at.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise

HIDDEN = "***"

_ANNOUNCING = frozenset(
    [
        "secret",
        "secrets",
        "password",
        "passwd",
        "passphrase",
        "pwd",
        "token",
        "apikey",
        "authtoken",
        "accesstoken",
        "accesskey",
        "secretkey",
        "privatekey",
        "credential",
        "credentials",
        "authorization",
        "auth",
        "bearer",
        "cookie",
        "signature",
        "sig",
    ]
)
_KEYS = frozenset(
    [
        "api",
        "access",
        "secret",
        "private",
        "auth",
        "signing",
        "encryption",
        "master",
        "service",
        "client",
        "account",
        "license",
    ]
)
_SHAPES = "|".join(
    (
        r"sk[-_](?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{12,}",
        r"(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{8,}",
        r"gh[pousr]_[A-Za-z0-9]{16,}",
        r"github_pat_[A-Za-z0-9_]{16,}",
        r"gl(?:pat|dt|rt)-[A-Za-z0-9_-]{12,}",
        r"xox[a-z]-[A-Za-z0-9-]{10,}",
        r"(?:AKIA|ASIA)[A-Z0-9]{16}",
        r"AIza[A-Za-z0-9_-]{30,}",
        r"ya29\.[A-Za-z0-9_-]{16,}",
        r"(?:npm|hf|shpat|dop_v1|lin_api|pplx)_[A-Za-z0-9]{16,}",
        r"pypi-[A-Za-z0-9_-]{16,}",
        r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
        r"eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[^\"']*",
    )
)
_SCHEMES = r"(?:Bearer|Basic|Token)"
_HARMLESS = frozenset(
    [
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "none",
        "null",
        "auto",
        "default",
        "required",
        "optional",
        "enabled",
        "disabled",
        "oauth",
        "oauth2",
        "basic",
        "bearer",
        "token",
        "env",
        "keychain",
        "keyring",
        "0",
        "1",
    ]
)


@cache
def _compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(pattern, flags)


@lru_cache(maxsize=4096)
def announces(name: str) -> bool:
    """Whether a field, variable, header or flag of this name holds a secret: `API_KEY`, `--auth-token`, `clientSecret`.

    The last word decides: `TOKEN_LIMIT` and `PASSWORD_FILE` announce none.
    """
    words = _words(name)
    if not words:
        return False
    return words[-1] in _ANNOUNCING or words == ["key"] or (words[-1] == "key" and words[-2] in _KEYS)


@lru_cache(maxsize=4096)
def hints(name: str) -> bool:
    """Whether the name makes a random-looking value a secret: any kind of key but a public one."""
    words = _words(name)
    return bool(words) and words[-1] == "key" and "public" not in words


def _words(name: str) -> list[str]:
    words = [word.lower() for word in _compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+").findall(name)]
    while words and words[-1].isdigit():
        words.pop()
    return words


def is_reference(value: str) -> bool:
    """Whether the value says nothing but where the secret is: `${NAME}`, `$NAME`, `{env:NAME}`, `%NAME%`, `Bearer ${NAME}`."""
    rest = _compiled(r"\$\{\{?[^{}:]*(?::[A-Za-z_]\w*)?\}?\}|\$[A-Za-z_]\w*|\{env:\w+\}|%\w+%").sub("", value)
    return rest != value and not _compiled(rf"{_SCHEMES}?\s*", re.IGNORECASE).sub("", rest, count=1).strip()


def is_literal_secret(name: str, value: str) -> bool:
    """Whether the value under this name looks like a secret itself, and not like a reference, a path or a plain setting."""
    if not value.strip() or is_reference(value):
        return False
    if value.lower() in _HARMLESS or _is_place(value) or _is_placeholder(value):
        return False
    return announces(name) or (hints(name) and _is_random(value))


def holds_secret(value: str) -> bool:
    """Whether the text holds a secret whatever it is called: a token's shape, credentials in a URL, an assignment to a secret's name."""
    return conceal(value, careful=True) != value


def conceal(text: str, *, careful: bool = False) -> str:
    """The text with every secret in it replaced. `careful`: leave alone what may be a plain setting."""
    if len(text) < 4:
        return text
    text = _compiled(r"(\b[a-z][a-z0-9+.-]{0,20}://)([^\s/@:\"']*)(?::([^\s/@\"']*))?@", re.IGNORECASE).sub(
        _userinfo, text
    )
    text = _compiled(rf"(?:(?<=:-)|(?<![A-Za-z0-9_-]))(?:{_SHAPES})").sub(HIDDEN, text)
    text = _compiled(rf"\b({_SCHEMES})\s+(?!\$)([A-Za-z0-9+/._~-]{{8,}}=*)").sub(_after_scheme, text)
    text = _compiled(r"(?<![A-Za-z0-9_/+.-])[A-Za-z0-9_-]{32,}(?![A-Za-z0-9_-])").sub(
        lambda match: HIDDEN if _is_mixed(match.group()) else match.group(), text
    )

    def assigned(match: re.Match[str]) -> str:
        name, middle, value = match.groups()
        secret = is_literal_secret(name, value) if careful else announces(name) and not is_reference(value)
        return f"{name}{middle}{HIDDEN}" if secret and value != HIDDEN else match.group()

    text = _compiled(r"(?<=[?&#])([A-Za-z][A-Za-z0-9_.-]{0,80})(=)([^\s\"'\\&#]+)").sub(assigned, text)
    return _compiled(
        r"(?<![A-Za-z0-9_$:])([A-Za-z][A-Za-z0-9_.-]{0,80})(\\?[\"']?[ \t]*(?:=|:(?=[ \t\"'\\]))[ \t]*\\?[\"']?)"
        r"((?:(?:Bearer|Basic|Token) +)?(?![{\[])[^\s\"'\\&;,]+)"
    ).sub(assigned, text)


def _userinfo(match: re.Match[str]) -> str:
    start, user, password = match.groups()
    if password is None:
        return f"{start}{HIDDEN}@" if len(user) >= 20 and not is_reference(user) else match.group()
    return match.group() if not password or is_reference(password) else f"{start}{HIDDEN}@"


def _after_scheme(match: re.Match[str]) -> str:
    scheme, value = match.groups()
    return f"{scheme} {HIDDEN}" if _is_random(value) else match.group()


def _is_place(value: str) -> bool:
    return bool(_compiled(r"~?/|\.{1,2}/|~$|[A-Za-z]:[\\/]|https?://[^@?]*$").match(value))


def _is_placeholder(value: str) -> bool:
    return bool(_compiled(r"<[^<>]*>|\*+|x{3,}|\.{3}|…|your[-_ ].*", re.IGNORECASE).fullmatch(value))


def _is_random(value: str) -> bool:
    """Long enough, letters and digits, no spaces."""
    letters = any(sign.isalpha() for sign in value)
    return len(value) >= 12 and letters and any(sign.isdigit() for sign in value) and " " not in value


def _is_mixed(value: str) -> bool:
    """Both cases, and digits strewn among letters: what random bytes in base 62 or 64 look like, and names and hashes do not."""
    if value.islower() or value.isupper() or not any(sign.islower() for sign in value):
        return False
    kinds = [sign.isdigit() for sign in value]
    return sum(left != right for left, right in pairwise(kinds)) >= 4
