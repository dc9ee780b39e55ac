"""`modified-stamp`: the day of the last change, and the hash that tells whether the body changed since."""

from __future__ import annotations

from collections.abc import Iterator

from vaultspec_core.checks.contract import ERROR, WARNING, Check, Fault
from vaultspec_core.checks.page import Page
from vaultspec_core.report import Refusal
from vaultspec_core.vault import names
from vaultspec_core.vault.splice import set_scalar
from vaultspec_core.vault.stamp import body_hash, stamped


def _faults(page: Page) -> Iterator[Fault]:
    front = page.front
    if not front.present:
        return
    modified, date = front.text("modified"), front.text("date")
    if modified is None:
        yield Fault(WARNING, "`modified` is missing")
    elif not names.is_day(modified):
        if _day(modified) is None:
            yield Fault(ERROR, f"`modified` is no date: {modified[:80]}")
        else:
            yield Fault(WARNING, f"`modified` is not yyyy-mm-dd: {modified[:80]}")
    elif date is not None and names.is_day(date) and modified < date:
        yield Fault(WARNING, f"`modified` ({modified}) is before `date` ({date})")
    if _stale(page):
        yield Fault(WARNING, "the body changed since `body_hash` and `modified` were written")


def _stale(page: Page) -> bool:
    said = page.front.text("body_hash")
    return said is not None and said != body_hash(page.body)


def _repair(page: Page) -> str:
    front = page.front
    if not page.editable or not isinstance(front.fields.get("modified"), str | None):
        return page.text
    modified, date = front.text("modified"), front.text("date")
    born = date if date is not None and names.is_day(date) else names.date_in_name(page.document.stem)
    text = page.text
    day = modified and _day(modified)
    if _stale(page) or (modified and day is None):
        today = max(page.today, born or "")
        return stamped(text, today) if _stale(page) else set_scalar(text, "modified", today)
    if day is None or (born is not None and day < born):
        day = born
    return text if day is None or day == modified else set_scalar(text, "modified", day, after=("date", "tags"))


def _day(said: str) -> str | None:
    try:
        return names.calendar_date(said)
    except Refusal:
        return None


CHECK = Check("modified-stamp", 17, document=_faults, repair=_repair, stamps=True)
