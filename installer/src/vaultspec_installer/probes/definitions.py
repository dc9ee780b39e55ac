"""Can every definition be rendered, does it leave the launch to the install mode, and does it hold no secret?"""

from __future__ import annotations

from collections.abc import Iterable

from vaultspec_core.report import Refusal
from vaultspec_core.workspace import FRAMEWORK

from ..definition import BUILT_IN, FOLDER, load_definitions
from ..finding import ERROR, WARNING, Code, Finding
from ..probe import Patient, Probe
from ..secrets import find_secrets

UNREADABLE = Code(
    "definitions-unreadable",
    ERROR,
    "The folder of the definitions cannot be listed.",
    "Make it a folder that you may read.",
    "/home/me/project/.vaultspec/mcps cannot be listed: Permission denied",
)
INVALID = Code(
    "invalid-definition",
    ERROR,
    "A definition cannot be rendered. Its server is not enrolled; an entry that is there already stays as it is.",
    "Correct what the message names; the schema says what is allowed.",
    ".vaultspec/mcps/search.json:2: /args is a string; allowed: an array",
)
STATIC = Code(
    "static-seed",
    WARNING,
    "A definition that a package brought still says its launch outright, as before install modes, and cannot follow the mode.",
    "Run that package's own installer again with `--upgrade`; vaultspec cannot know what it would write.",
    ".vaultspec/mcps/search.builtin.json says its launch outright and cannot follow the install mode",
    fails=False,
)
SECRET = Code(
    "literal-secret",
    WARNING,
    "A definition holds what looks like a secret. It is committed, and so is every project file it is rendered into.",
    "Write it as `${NAME}`, set the variable where the client runs, and change the secret.",
    ".vaultspec/mcps/search.json: /env/API_KEY looks like a literal secret",
)


def look(patient: Patient) -> Iterable[Finding]:
    try:
        found = load_definitions(patient.root, patient.read)
    except Refusal as refusal:
        yield UNREADABLE.found(refusal.message, f"{FRAMEWORK}/{FOLDER}", f"chmod u+rx {FRAMEWORK}/{FOLDER}")
        return
    for bad in found.invalid.values():
        for fault in bad.faults:
            yield INVALID.found(
                fault.message, patient.said(bad.path), "vaultspec-core spec reference schema definition", fault.line
            )
    for definition in found.valid.values():
        file = patient.said(definition.path)
        if definition.source == BUILT_IN and not definition.templated:
            yield STATIC.found(
                f"{file} says its launch outright and cannot follow the install mode",
                file,
                f"{definition.package or definition.name} install --upgrade",
            )
        for field in find_secrets(definition):
            yield SECRET.found(
                f"{file}: {field} looks like a literal secret", file, f"Write it as ${{NAME}} in {file}, and change it."
            )


PROBE = Probe(30, (UNREADABLE, INVALID, STATIC, SECRET), look)
