"""The tool calls of a connection: which are in flight, who runs them, which were cancelled."""

from __future__ import annotations

import threading
from queue import SimpleQueue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Call:
    """One `tools/call`. `token`: the client asks for progress under it; None: it does not. `structured`: the result carries data
    as data; otherwise the text block has to. `cancelled` may be set at any time, from any thread."""

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


class Lane:
    """Calls that run one after the other, in the order in which they came. Whoever calls `work` is the one who runs them."""

    def __init__(self, perform: Callable[[Call], None]) -> None:
        self._perform = perform
        self._queue: SimpleQueue[Call | None] = SimpleQueue()

    def put(self, call: Call) -> None:
        """Queue a call."""
        self._queue.put(call)

    def close(self) -> None:
        """Let `work` return once the queue has been worked off."""
        self._queue.put(None)

    def work(self) -> None:
        """Run calls until the lane is closed."""
        while (call := self._queue.get()) is not None:
            self._perform(call)
