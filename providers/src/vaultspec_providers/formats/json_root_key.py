"""A list of names at the root of a JSON host file, beside the servers: read it, and take it out with every other byte kept."""

from __future__ import annotations

from vaultspec_providers.contract import HostFileError
from vaultspec_providers.formats.json_edit import remove, splice
from vaultspec_providers.formats.json_path import find_way
from vaultspec_providers.formats.json_text import decode


def names_at_root(data: bytes | None, key: str) -> list[str] | None:
    """The names that the key holds; what is no text in it is passed over. None without the key. Raises HostFileError."""
    way = find_way(decode(data), ())
    if key not in way.names:
        return None
    value = way.value(key)
    return [name for name in value if isinstance(name, str)] if isinstance(value, list) else []


def without_root_key(data: bytes, key: str) -> bytes:
    """The file without the key. Raises HostFileError, also when it stands there twice."""
    way = find_way(decode(data), ())
    if key not in way.names:
        return data
    way.refuse_duplicates({key})
    result = splice(way.text, remove(way.text, way.trail[0], frozenset({key})))
    after = find_way(result, ())
    if key in after.names or way.others(frozenset({key})) != after.others(frozenset({key})):
        raise HostFileError(f"taking out `{key}` would change something else")
    return result.encode("utf-8")
