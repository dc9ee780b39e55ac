"""Stands in for the command line, as a package of its name: it has the verbs that no real one has, those that behave badly."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

PLAIN = {"repeatable": False, "negatable": False, "number": False, "path": False, "help": "A flag."}
VERBS = ("echo", "garbage", "fail", "misuse", "plain", "flood", "hang", "leave", "closed", "dying")
CATALOGUE = [
    {
        "verb": f"demo {name}",
        "description": "A verb of the stand-in.",
        "supports_json": name not in ("plain", "flood"),
        "denied": None,
        "deprecated": None,
        "flags": [{**PLAIN, "name": "--fifo", "takes_value": True}, {**PLAIN, "name": "--loud", "takes_value": False}],
        "arguments": [{"name": "word", "required": False, "variadic": True, "help": "Words.", "path": False}],
    }
    for name in VERBS
]


def say(data: object, status: str = "ok") -> None:
    sys.stdout.write(json.dumps({"schema": "demo.v1", "status": status, "data": data}) + "\n")
    sys.stdout.flush()


def with_descendant(words: list[str]) -> None:
    """Start a process that does not heed SIGTERM; both hold the FIFO and have said so."""
    fifo = os.open(words[words.index("--fifo") + 1], os.O_WRONLY)
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.write(fifo, b"descendant\n")
        while True:
            time.sleep(60)
    os.write(fifo, b"verb\n")


def main(words: list[str]) -> int:
    if words[:3] == ["spec", "reference", "verbs"]:
        if counter := os.environ.get("STAND_IN_COUNTER"):
            with Path(counter).open("a") as file:
                file.write("asked\n")
        sys.stdout.write(os.environ.get("STAND_IN_LISTING") or json.dumps({"data": {"verbs": CATALOGUE}}))
        return int(os.environ.get("STAND_IN_EXIT", "0"))
    match words[3]:
        case "echo":
            marks = {name: os.environ.get(name) for name in json.loads(os.environ.get("STAND_IN_ASKS", "[]"))}
            facts = {"words": words, "stdin": sys.stdin.read(), "folder": os.getcwd(), "marks": marks}
            say({**facts, "leads_its_session": os.getsid(0) == os.getpid() != os.getppid()})
        case "garbage":
            sys.stdout.write("no document\n")
        case "fail":
            say({"code": "demo", "message": "it failed"}, "failed")
            return int(words[4])
        case "misuse":
            say({"code": "usage"}, "failed")
            sys.stderr.write("error: a word is missing\n")
            return 2
        case "plain":
            sys.stdout.write("caf\u00e9\n")
            sys.stderr.write("a warning\n")
        case "flood":
            for _ in range(80):
                sys.stdout.write("x" * (1 << 16))
        case "hang":
            with_descendant(words)
            while True:
                time.sleep(60)
        case "leave":
            with_descendant(words)
            say({})
        case "closed":
            os.close(1)
            os.close(2)
            while True:
                time.sleep(60)
        case "dying":
            os.kill(os.getpid(), signal.SIGKILL)
    return 0


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)
