"""Servers that behave well or badly, each a program of a few lines for an interpreter of the test's own."""

from __future__ import annotations

_START = """
import json, os, sys, time

def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)

def hear():
    return json.loads(sys.stdin.readline())

def greet():
    say(id=hear()["id"], result={"protocolVersion": "2025-06-18", "serverInfo": {"name": "tiny", "version": "3.1"}})
    assert hear()["method"] == "notifications/initialized"
"""

WELL = f"""{_START}
greet()
say(id=hear()["id"], result={{"tools": [{{"name": "a"}}, {{"name": "b"}}]}})
sys.stdin.read()
"""
TALKATIVE = f"""{_START}
first = hear()
say(method="notifications/message", params={{"level": "info"}})
say(id="p", method="ping")
assert hear() == {{"jsonrpc": "2.0", "id": "p", "result": {{}}}}
say(id="r", method="roots/list")
assert hear()["error"]["code"] == -32601
say(id=first["id"], result={{"protocolVersion": "2024-11-05", "serverInfo": {{"name": "tiny", "version": "3.1"}}}})
hear()
page = hear()
say(id=page["id"], result={{"tools": [{{"name": "a"}}], "nextCursor": "more"}})
page = hear()
assert page["params"] == {{"cursor": "more"}}
say(id=page["id"], result={{"tools": [{{"name": "b"}}, {{"name": "c"}}]}})
sys.stdin.read()
"""
WHERE_AND_HOW = f"""{_START}
hear()
say(id=1, error={{"code": 1, "message": os.getcwd() + " " + os.environ["REGION"] + " " + sys.argv[1]}})
sys.stdin.read()
"""
DEAF = """
import subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(str(child.pid))
time.sleep(600)
"""
ENDING = """
import os, sys
for number in range(20):
    print(f"line {number}", file=sys.stderr)
print("the key is " + os.environ.get("API_KEY", ""), file=sys.stderr)
sys.exit(7)
"""
CHATTY = "print('Welcome!', flush=True); import time; time.sleep(600)"
EMPTY = f"{_START}\nsay(id=hear()['id'], result={{}})\nsys.stdin.read()"
