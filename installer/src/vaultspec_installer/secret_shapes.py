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
        "passcode",
        "pass",
        "pwd",
        "pat",
        "jwt",
        "dsn",
        "creds",
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
        "ssh",
        "tls",
        "ssl",
        "webhook",
        "deploy",
        "subscription",
        "application",
        "app",
    ]
)
_ENDINGS = ("password", "passwd", "passphrase", "secret", "token", "apikey", "credential")
_HOLDERS = frozenset({"env", "environment", "envs", "headers", "http_headers", "env_http_headers"})
_COUNTED = frozenset({"max", "min", "input", "output", "total", "used"})
_USER_FLAGS = frozenset({"-u", "-U", "--user", "--userpwd", "--proxy-user"})
_ENV_FLAGS = frozenset({"-e", "--env"})
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
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----END)[^\"'])*(?:-----END [A-Z ]*PRIVATE KEY-----)?",
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
_CONSTANTS = frozenset({"true", "false", "null", "none"})


@cache
def _compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(pattern, flags)


@lru_cache(maxsize=4096)
def announces(name: str) -> bool:
    """Whether a field, variable, header or flag of this name holds a secret: `API_KEY`, `--auth-token`, `clientSecret`, `PGPASSWORD`.

    The last word decides: `TOKEN_LIMIT` and `PASSWORD_FILE` announce none. Plurals do (`api_keys`), but for what is counted more
    often than kept: `tokens` and `keys`.
    """
    words = _words(name)
    if not words or words[-1] == "tokens" or words == ["keys"]:
        return False
    return _is_secret_word(words) or _is_secret_word([*words[:-1], words[-1].removesuffix("s")])


def _is_secret_word(words: list[str]) -> bool:
    last = words[-1]
    if last in _ANNOUNCING or last.endswith(_ENDINGS):
        return True
    return last == "key" and (len(words) == 1 or words[-2] in _KEYS)


@lru_cache(maxsize=4096)
def holds(name: str) -> bool:
    """Whether everything below a key of this name is hidden: values of env and headers, and what a secret's name stands over."""
    words = _words(name)
    return (
        name.lower() in _HOLDERS or announces(name) or (words[-1:] == ["tokens"] and not _COUNTED.intersection(words))
    )


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
    return is_secret_under(name, value)


def is_secret_under(name: str, value: str) -> bool:
    """Whether the value is to be hidden because of its name alone."""
    return announces(name) or (hints(name) and _is_random(value))


def holds_secret(value: str) -> bool:
    """Whether the text holds a secret whatever it is called: a token's shape, credentials in a URL, an assignment to a secret's name."""
    return conceal(value, careful=True) != value


def conceal(text: str, *, careful: bool = False) -> str:
    """Free text with every secret in it replaced. `careful`: leave alone what may be a plain setting."""
    return conceal_shapes(conceal_assigned(text, careful=careful))


def conceal_shapes(text: str) -> str:
    """The text without what is a secret wherever it stands: token-shaped text, credentials in URLs, parameters of a query."""
    if len(text) < 4:
        return text
    text = _compiled(
        r"(\b[a-z][a-z0-9+.-]{0,20}://)"
        r"(?:([^\s/@:\"']*):(?!\d*(?:[/?#\s\"'\\]|\Z))([^\s/\"']{0,500}(?=@)|[^\s\"']{0,500}(?=@))@|([^\s/@:\"']+)@)",
        re.IGNORECASE,
    ).sub(_userinfo, text)
    text = _compiled(rf"(?:(?<=:-)|(?<![A-Za-z0-9_-]))(?:{_SHAPES})").sub(_each_line, text)
    text = _compiled(rf"\b({_SCHEMES})\s+(?!\$)([A-Za-z0-9+/._~-]{{8,}}=*)").sub(_after_scheme, text)
    text = _compiled(r"(?<![A-Za-z0-9_/+.-])[A-Za-z0-9_-]{32,}(?![A-Za-z0-9_-])").sub(
        lambda match: HIDDEN if _is_mixed(match.group()) else match.group(), text
    )
    return _compiled(r"(?<=[?&#])([A-Za-z][A-Za-z0-9_.-]{0,80})=([^\s\"'\\&#]+)").sub(
        lambda match: f"{match[1]}={HIDDEN}" if announces(match[1]) and not is_reference(match[2]) else match[0], text
    )


def conceal_assigned(text: str, *, careful: bool = False) -> str:
    """The text without what is given to a secret's name or flag in it: `TOKEN=x`, `"password": "x"`, `Cookie: a; b`, `--pat x`."""
    if len(text) < 4:
        return text
    said = _compiled(
        r"(?:(?<=\\[nrt])|(?<![A-Za-z0-9_$:\\-]))(?P<name>-{0,2}[A-Za-z][A-Za-z0-9_.-]{0,80})"
        r"(?:(?P<is>\\{0,7}[\"']?[ \t]*(?:=(?!=\d)|:(?=[ \t\"'\\]))[ \t]*)|(?P<blank>[ \t]+(?!-)))"
    )
    value = _compiled(r"(?P<quote>\\{0,7}[\"'])(?P<quoted>[^\n]*?)(?:(?P=quote)|(?=\n|\Z))|(?P<plain>[^\s&;\"]+)")
    out: list[str] = []
    end = 0
    while match := said.search(text, end):
        name, start = match["name"], match.end()
        out.append(text[end:start])
        end = start
        if match["is"] is None and not name.startswith("-"):
            continue
        found = (_line_value(match["is"] or "", text[start : start + 1]) or value).match(text, start)
        if found is None:
            continue
        quote = found.groupdict().get("quote") or ""
        inner = found["quoted"] if quote else found.group()
        shown = conceal_given(name, inner, careful=careful)
        if shown != inner and not inner.startswith(HIDDEN):
            out.append(f"{quote}{shown}{found.group()[len(quote) + len(inner) :]}")
            end = found.end()
    out.append(text[end:])
    return "".join(out)


def _line_value(sign: str, first: str) -> re.Pattern[str] | None:
    """What a value that ends with its line looks like: a list, and what follows a colon, as in a header. A shell's ends with its word."""
    if first in ("{", "["):
        return _compiled(r"[^\n]+")
    return _compiled(r"[^\n\"]+") if ":" in sign and first not in ('"', "'", "\\") else None


def conceal_given(name: str, value: str, *, careful: bool = False) -> str:
    """The value that a flag, variable or header of this name is given, as output may show it; a value that is none stays.

    `--user ann:x` gives a user and a password, and `-e A=x` a variable.
    """
    if not value.strip() or is_reference(value):
        return value
    if name in _USER_FLAGS:
        user, colon, password = value.partition(":")
        plain = user.isdigit() or _is_place(value) or password.startswith("//") or is_reference(password)
        return value if not colon or not password or plain or " " in user else f"{user}:{HIDDEN}"
    if name in _ENV_FLAGS:
        found = _compiled(r"([A-Za-z_]\w*)=(.+)", re.DOTALL).fullmatch(value)
        shown = (
            found is not None and not is_reference(found[2]) and (not careful or is_literal_secret(found[1], found[2]))
        )
        return f"{found[1]}={HIDDEN}" if found is not None and shown else value
    if careful:
        plain = value.split()[0].lower().strip(",.;") in _HARMLESS - {"basic", "bearer", "token"}
        return HIDDEN if is_literal_secret(name, value) and not plain else value
    return HIDDEN if is_secret_under(name, value) and value.rstrip(",;").lower() not in _CONSTANTS else value


def conceal_word(word: str, *, careful: bool = False) -> str:
    """One argument or one string of a file. Other than in free text, what is given to a name or a flag goes on to its end."""
    shown = conceal_given_in(word, careful=careful)
    return shown if shown != word else conceal(word, careful=careful)


def conceal_given_in(word: str, *, careful: bool = False) -> str:
    """The word without the value when all of it is one: `TOKEN=x`, `--pat=x`, `Cookie: a=b; c=d`, `-uann:x`."""
    said = _compiled(r"-[uU](?=[^\s:=-]+:)|(-{0,2}[A-Za-z][A-Za-z0-9_.-]{0,80})(?:=(?!=\d)|:(?!//)[ \t]*)")
    start = 0
    # `--header=Authorization: Basic x` is the deepest that is met.
    for _ in range(3):
        found = said.match(word, start)
        if found is None:
            break
        start = found.end()
        shown = conceal_given(found[1] or found[0], word[start:], careful=careful)
        if shown != word[start:]:
            return word[:start] + shown
    return word


def _each_line(match: re.Match[str]) -> str:
    return _compiled(r"[^\n]+").sub(HIDDEN, match.group())


def _userinfo(match: re.Match[str]) -> str:
    start, _, password, alone = match.groups()
    if alone is not None:
        token = len(alone) >= 20 or (len(alone) >= 8 and start.lower().startswith("http") and _has_digit(alone))
        return f"{start}{HIDDEN}@" if token and not is_reference(alone) else match.group()
    return match.group() if not password or is_reference(password) else f"{start}{HIDDEN}@"


def _after_scheme(match: re.Match[str]) -> str:
    scheme, value = match.groups()
    return f"{scheme} {HIDDEN}" if _is_random(value) else match.group()


def _has_digit(value: str) -> bool:
    return any(sign.isdigit() for sign in value)


def _is_place(value: str) -> bool:
    return bool(_compiled(r"~?/|\.{1,2}/|~$|[A-Za-z]:[\\/]|[A-Za-z][\w+.-]*://[^@?]*$").match(value))


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
