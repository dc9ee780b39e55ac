"""Names in the vault: document types, tags, dates, file names and stems, and where each kind of document lies.

Paths are POSIX text relative to the workspace (`.vault/adr/2026-07-01-auth-adr.md`); dates are `yyyy-mm-dd` text.
"""

from __future__ import annotations

import re
from functools import lru_cache

from vaultspec_core.report import Refusal

VAULT = ".vault"
ARCHIVE = "_archive"
TYPES = ("adr", "audit", "exec", "index", "plan", "reference", "research")
TOPIC_TYPES = ("adr", "audit", "reference", "research")
TIERS = ("L1", "L2", "L3", "L4")
UNKNOWN = "unknown"
"""Type of a document that lies in no folder of a type."""

RUNTIME_FOLDERS = frozenset({"data", "logs"})
"""Folders at the top of the vault that hold no documents; neither do hidden folders and the archive."""

STEM_LIMIT = 240
"""Characters of a stem: with `.md` a file name that every file system takes."""

_TAG = re.compile(r"[a-z0-9][a-z0-9-]*\Z")
_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)\Z")
_DATED = re.compile(r"(\d{4}-\d\d-\d\d)-")
_AUTHORED = re.compile(r"\d{4}-\d\d-\d\d-[a-z0-9-]+-(?:adr|audit|exec|plan|reference|research)(?:-[a-z0-9-]+)*\.md\Z")
_LEDGER = re.compile(r"\d{4}-\d\d-\d\d-[a-z0-9-]+-ledger\.md\Z")
_STEP_RECORD = re.compile(
    r"\d{4}-\d\d-\d\d-[a-z0-9-]+-(?:(?:W\d{2,}[a-z]?-)?(?:P\d{2,}[a-z]?-)?S\d{2,}|P\d{2,}[a-z]?-summary)\.md\Z"
)
_INDEX = re.compile(r"[a-z0-9-]+\.index\.md\Z")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[1-9]|lpt[1-9])\Z")


def normal_tag(text: str) -> str:
    """A tag as it is compared and stored: no leading `#`, trimmed, lower case, slashes as hyphens. Nothing is refused."""
    return text.strip().lstrip("#").strip().lower().replace("/", "-").replace("\\", "-")


def is_tag(text: str) -> bool:
    """Whether the text is kebab-case: lower-case letters, digits, hyphens, not beginning with a hyphen."""
    return _TAG.match(text) is not None


def valid_tag(text: str, noun: str = "feature tag") -> str:
    """The normalised feature tag or topic. Raises Refusal `invalid-name` with what is wrong, in the words of `noun`."""
    tag = normal_tag(text)
    if not tag:
        raise Refusal("invalid-name", f"{noun} is required (e.g. my-feature)")
    if not is_tag(tag):
        raise Refusal("invalid-name", f"Invalid {noun} {text!r}. Must be kebab-case (lowercase, digits, hyphens).")
    if _DEVICE.match(tag):
        raise Refusal("invalid-name", f"Invalid {noun} {text!r}: {tag} is a reserved device name on Windows.")
    if len(tag) > STEM_LIMIT:
        raise Refusal("invalid-name", f"Invalid {noun}: {len(tag)} characters, more than a file name holds.")
    return tag


def valid_feature(text: str) -> str:
    """The normalised name for a new feature. Raises Refusal `invalid-name`; a document type is no feature name."""
    tag = valid_tag(text)
    if tag in TYPES:
        raise Refusal(
            "invalid-name", f"Invalid feature tag {text!r}: {tag} is a document type.", "Choose another feature name."
        )
    return tag


@lru_cache(1 << 12)
def is_day(text: str) -> bool:
    """Whether the text is a calendar date written `yyyy-mm-dd`."""
    match = _DAY.match(text)
    return match is not None and _exists(int(match[1]), int(match[2]), int(match[3]))


def calendar_date(text: str) -> str:
    """The date as `yyyy-mm-dd`. Raises Refusal `invalid-date`.

    Understood besides that: ISO 8601 timestamps, basic form and zone included (the day is that of UTC), `yyyy/m/d`, and
    `dd-mm-yyyy` or `mm/dd/yyyy` where one part above 12 says which is the day.
    """
    text = text.strip()
    if is_day(text):
        return text
    return _slashed(text) or _timestamp(text) or _refuse_date(text)


def _refuse_date(text: str) -> str:
    raise Refusal(
        "invalid-date",
        f"Invalid date {text!r}. Must be a calendar date in (or normalizable to) YYYY-MM-DD form.",
    )


def _slashed(text: str) -> str | None:
    parts = re.split(r"[-/.]", text)
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    first, second, third = (int(part) for part in parts)
    if len(parts[0]) == 4:
        found = (first, second, third)
    elif len(parts[2]) != 4 or (first > 12) == (second > 12):
        return None
    elif first > 12:
        found = (third, second, first)
    elif second > 12:
        found = (third, first, second)
    else:
        return None
    return f"{found[0]:04d}-{found[1]:02d}-{found[2]:02d}" if _exists(*found) else None


def _timestamp(text: str) -> str | None:
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return moment.strftime("%Y-%m-%d") if moment.year >= 1000 else None


def _exists(year: int, month: int, day: int) -> bool:
    if not (1 <= month <= 12 and year >= 1):
        return False
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    length = 29 if month == 2 and leap else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]
    return 1 <= day <= length


def stem_of(relative: str) -> str:
    """The file name without `.md`."""
    return relative.rpartition("/")[2].removesuffix(".md")


def date_in_name(stem: str) -> str | None:
    """The date that a stem starts with."""
    match = _DATED.match(stem)
    return match[1] if match else None


def type_of(inside: str) -> str:
    """The type of a document by its path inside the vault (`adr/x.md`): its top folder."""
    top, slash, _ = inside.partition("/")
    if slash:
        return top if top in TYPES else UNKNOWN
    return "index" if inside.endswith(".index.md") else UNKNOWN


def document_path(kind: str, feature: str, date: str, topic: str | None = None) -> str:
    """Where a new authored document lies; the parts are already valid. Raises Refusal `name-too-long`."""
    stem = "-".join([date, feature, *([topic] if topic else []), kind])
    return _path(kind, stem)


def ledger_path(feature: str, plan_date: str) -> str:
    """Where the execution ledger of a plan lies. Raises Refusal `name-too-long`."""
    folder = f"{plan_date}-{feature}"
    return _path(f"exec/{folder}", f"{folder}-ledger")


def index_path(feature: str) -> str:
    """Where a feature's index lies. Raises Refusal `name-too-long`."""
    return _path("index", f"{feature}.index")


def _path(folder: str, stem: str) -> str:
    if len(stem) > STEM_LIMIT:
        raise Refusal("name-too-long", f"The file name {stem[:40]}... would have {len(stem)} characters.")
    return f"{VAULT}/{folder}/{stem}.md"


def name_fits(kind: str, name: str) -> bool:
    """Whether a file name follows the naming rule of its type (legacy step records included)."""
    if kind == "index":
        return bool(_INDEX.match(name))
    if kind == "exec" and (_LEDGER.match(name) or _STEP_RECORD.match(name)):
        return True
    return bool(_AUTHORED.match(name)) and name.endswith(f"-{kind}.md")
