"""Frontmatter beyond our own grammar, through PyYAML's event reader: nothing is constructed, so no shape can do harm.

Aliases, depth and size are bounded. Scalars stay text as written, save plain `true`, `false` and nothing.
"""

from __future__ import annotations

from typing import Any, TypeAlias, Union

Value: TypeAlias = Union[bool, str, "list[Value]", "dict[str, Value]", None]

SIZE_LIMIT = 65_536
DEPTH_LIMIT = 16

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **{form: True for word in ("true", "yes", "on") for form in (word, word.capitalize(), word.upper())},
    **{form: False for word in ("false", "no", "off") for form in (word, word.capitalize(), word.upper())},
}


class Unreadable(Exception):
    """Why the block cannot be read. `line` counts from 0 inside the block."""

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


def plain_value(text: str) -> bool | str | None:
    """What an unquoted scalar means."""
    return _WORDS.get(text, text)


def read_yaml(block: str) -> tuple[dict[str, Value], list[str]]:
    """The fields of a YAML mapping and its repeated keys. Raises Unreadable."""
    if len(block) > SIZE_LIMIT:
        raise Unreadable(f"it is longer than {SIZE_LIMIT} characters")
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Reader(iter(yaml.parse(block, Loader=loader)), yaml).document()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "it is no YAML"
        raise Unreadable(str(reason), None if mark is None else mark.line) from error


class _Reader:
    """Values from events, iteration and bounds included."""

    def __init__(self, events: Any, yaml: Any) -> None:
        self._events = events
        self._yaml = yaml
        self._repeated: list[str] = []

    def document(self) -> tuple[dict[str, Value], list[str]]:
        yaml = self._yaml
        value: Value = None
        seen = 0
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent):
                seen += 1
                if seen > 1:
                    raise Unreadable("it holds more than one YAML document", event.start_mark.line)
                value = self._node(next(self._events), 0)
        if value is None:
            return {}, []
        if not isinstance(value, dict):
            raise Unreadable("it is no list of `key: value` fields", 0)
        return value, self._repeated

    def _node(self, event: Any, depth: int) -> Value:
        yaml = self._yaml
        if isinstance(event, yaml.AliasEvent):
            raise Unreadable("YAML aliases are not supported", event.start_mark.line)
        if isinstance(event, yaml.ScalarEvent):
            return plain_value(event.value) if not event.style and event.tag is None else str(event.value)
        if depth >= DEPTH_LIMIT:
            raise Unreadable(f"it is nested deeper than {DEPTH_LIMIT} levels", event.start_mark.line)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Value] = []
            while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
                items.append(self._node(event, depth + 1))
            return items
        fields: dict[str, Value] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, depth)
            value = self._node(next(self._events), depth + 1)
            if key in fields and depth == 0:
                self._repeated.append(key)
            fields[key] = value
        return fields

    def _key(self, event: Any, depth: int) -> str:
        if isinstance(event, self._yaml.ScalarEvent):
            return str(event.value)
        self._node(event, depth + 1)
        raise Unreadable("a key is not text", event.start_mark.line)
