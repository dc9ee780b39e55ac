"""The tool calls of a connection: which are in flight, who runs them, which were cancelled."""

from __future__ import annotations

import threading
from queue import SimpleQueue

from vaultspec_core.mcp_server import breath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn


class Call:
    """One `tools/call`. `token`: the client asks for progress under it; None: it does not. `structured`: the client reads data
    as data; otherwise the text block has to carry them. `cancelled` may be set at any time, from any thread."""

    __slots__ = ("arguments", "cancelled", "id", "name", "structured", "token")

    def __init__(
        self, id: str | int, name: str, arguments: dict[str, Any], token: str | int | None, structured: bool
    ) -> None:
        self.id = id
        self.name = name
        self.arguments = arguments
        self.token = token
        self.structured = structured
        self.cancelled = False


class InFlight:
    """Calls that were accepted and not yet answered. `idle` is set while there are none."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: set[Call] = set()
        self._latest: dict[str, Call] = {}
        self.idle = threading.Event()
        self.idle.set()

    def begin(self, call: Call) -> None:
        """Take a call in. A call with the id of one in flight is run as well; only the later one can be cancelled."""
        with self._lock:
            self._calls.add(call)
            self._latest[str(call.id)] = call
            self.idle.clear()

    def end(self, call: Call) -> None:
        """The call was answered, or never will be."""
        with self._lock:
            self._calls.discard(call)
            if self._latest.get(str(call.id)) is call:
                del self._latest[str(call.id)]
            if not self._calls:
                self.idle.set()

    def cancel(self, id: Any) -> None:
        """Cancel by id; one that is not in flight is no fault. The SDK takes 4 and "4" for the same."""
        with self._lock:
            call = self._latest.get(str(id)) if isinstance(id, str | int) else None
        if call is not None:
            call.cancelled = True

    def cancel_all(self) -> None:
        """Cancel whatever is in flight. Takes no lock: a signal handler calls it."""
        for call in tuple(self._calls):
            call.cancelled = True


class Lanes:
    """Where calls run: those that use the vault in the thread that `work`s, one after the other in the order in which they came;
    those whose work another process does in a second lane beside it."""

    def __init__(self) -> None:
        self._inside: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._elsewhere: SimpleQueue[Callable[[], None]] = SimpleQueue()

    def put(self, job: Callable[[], None], elsewhere: bool) -> None:
        """Queue a job; it must not raise."""
        (self._elsewhere if elsewhere else self._inside).put(job)

    def work(self) -> NoReturn:
        """Run jobs for ever. The main thread does it: only there can a job be made to breathe."""
        threading.Thread(target=self._work_elsewhere, name="elsewhere", daemon=True).start()
        while True:
            job = self._inside.get()
            with breath.kept():
                job()

    def _work_elsewhere(self) -> NoReturn:
        while True:
            self._elsewhere.get()()
