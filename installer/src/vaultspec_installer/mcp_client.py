"""A client of one question: start a server over stdio, shake hands, list its tools, and end it with all that it started."""

from __future__ import annotations

import json
import queue
import re
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import IO, Any, NamedTuple

from vaultspec_core.mcp_server.gateway_group import apart, end_group
from vaultspec_providers.contract import Launch

from ._version import __version__
from .secret_shapes import HIDDEN, announces, conceal

REVISION = "2025-06-18"
STDERR_LINES = 10
MAX_PAGES = 100
_REFERENCE = r"\$\{(\w+)(?::-([^}]*))?\}"


class Greeting(NamedTuple):
    """What a server said. `protocol`: the revision that was agreed. `seconds`: from its start until its tools were known."""

    server: str
    version: str
    protocol: str
    tools: int
    seconds: float


class Failure(NamedTuple):
    """Why there is no answer, in one line, and the last lines of stderr; secrets are taken out of both."""

    message: str
    stderr: tuple[str, ...] = ()


class _Failed(Exception):
    """The conversation cannot go on; the text says why."""


def greet(launch: Launch, folder: Path, environ: Mapping[str, str], seconds: float) -> Greeting | Failure:
    """Start the launch in the folder, as a client does, and ask for its tools within `seconds`. Nothing is left running."""
    secrets = [value for name, value in launch.env.items() if len(value) > 3 and announces(name)]
    command = [_filled(word, environ) for word in (launch.command, *launch.args)]
    own = {name: _filled(value, environ) for name, value in launch.env.items()}
    secrets += [own[name] for name in own if announces(name) and len(own[name]) > 3]
    started = monotonic()
    try:
        child = subprocess.Popen(
            command,
            cwd=folder,
            env={**environ, **own},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **apart(),
        )
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        return Failure(_hidden(f"{launch.command} cannot be started: {reason}", secrets))
    talk = _Talk(child, started + seconds)
    try:
        server, version, protocol, tools = _converse(talk)
        return Greeting(server, version, protocol, tools, round(monotonic() - started, 3))
    except _Failed as failed:
        end_group(child)
        lines = tuple(_hidden(line, secrets) for line in talk.errors())
        return Failure(_hidden(str(failed), secrets), lines)
    finally:
        end_group(child)
        talk.close()


def _converse(talk: _Talk) -> tuple[str, str, str, int]:
    hello = talk.ask(
        "initialize",
        {
            "protocolVersion": REVISION,
            "capabilities": {},
            "clientInfo": {"name": "vaultspec-core", "version": __version__},
        },
    )
    about = hello.get("serverInfo")
    if not isinstance(about, dict):
        raise _Failed("its answer to initialize does not say what server it is")
    talk.send({"method": "notifications/initialized"})
    count, cursor = 0, None
    for _ in range(MAX_PAGES):
        page = talk.ask("tools/list", {"cursor": cursor} if cursor else {})
        tools = page.get("tools")
        if not isinstance(tools, list):
            raise _Failed("its answer to tools/list holds no list of tools")
        count, cursor = count + len(tools), page.get("nextCursor")
        if not cursor:
            break
    return str(about.get("name")), str(about.get("version")), str(hello.get("protocolVersion")), count


class _Talk:
    """Messages to and from one server, until a point of time (of `monotonic`)."""

    def __init__(self, child: subprocess.Popen[bytes], until: float) -> None:
        self._child = child
        self._until = until
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        self._errors: deque[bytes] = deque(maxlen=STDERR_LINES)
        self._last = 0
        self._threads = [
            threading.Thread(target=self._listen, args=(child.stdout,), daemon=True),
            threading.Thread(target=self._overhear, args=(child.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _listen(self, stream: IO[bytes]) -> None:
        for line in _lines_of(stream):
            self._lines.put(line)
        self._lines.put(None)

    def _overhear(self, stream: IO[bytes]) -> None:
        self._errors.extend(_lines_of(stream))

    def send(self, message: dict[str, Any]) -> None:
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            self._child.stdin.flush()
        except OSError:
            pass  # It has closed its input; what it said before that, or its end, is the answer.

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The result of one request. What the server asks meanwhile is declined, but for a ping."""
        self._last += 1
        self.send({"id": self._last, "method": method, "params": params})
        while True:
            message = self._next(method)
            if "method" in message and "id" in message:
                declined = {"error": {"code": -32601, "message": "this client only asks"}}
                self.send({"id": message["id"], **({"result": {}} if message["method"] == "ping" else declined)})
            elif message.get("id") == self._last and "method" not in message:
                if isinstance(message.get("result"), dict):
                    result: dict[str, Any] = message["result"]
                    return result
                error = message.get("error")
                said = error.get("message") if isinstance(error, dict) else "no result"
                raise _Failed(f"it refused {method}: {said}")

    def _next(self, method: str) -> dict[str, Any]:
        try:
            line = self._lines.get(timeout=max(0.0, self._until - monotonic()))
        except queue.Empty:
            raise _Failed(f"no answer to {method} in time") from None
        if line is None:
            try:
                code: object = self._child.wait(max(0.1, self._until - monotonic()))
            except subprocess.TimeoutExpired:
                raise _Failed(f"it closed its output before it answered {method}") from None
            raise _Failed(f"it ended with {code} before it answered {method}")
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            text = line.decode("utf-8", "replace").strip()[:200]
            raise _Failed(f"it printed something that is no message: {text}")
        return message

    def errors(self) -> list[str]:
        """The last lines of stderr of a server that has ended."""
        self._threads[1].join(1)
        return [line.decode("utf-8", "replace").rstrip() for line in self._errors]

    def close(self) -> None:
        for thread in self._threads:
            thread.join(1)
        for stream in (self._child.stdin, self._child.stdout, self._child.stderr):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass


def _lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    try:
        yield from (line for line in stream if line.strip())
    except (OSError, ValueError):
        return


def _filled(text: str, environ: Mapping[str, str]) -> str:
    """References to variables, `${NAME}` and `${NAME:-default}`, filled in; one that is not set and has no default stays."""
    return re.sub(_REFERENCE, lambda match: environ.get(match[1], match[0] if match[2] is None else match[2]), text)


def _hidden(text: str, secrets: list[str]) -> str:
    for secret in filter(None, secrets):
        text = text.replace(secret, HIDDEN)
    return conceal(text, careful=True)
