"""One verb for each thing that the frame must do."""

from vaultspec_core.verb import Flag, Operand, Verb

RUN = "tests.installer.demo.run:"

VERBS = (
    Verb(
        ("demo", "echo"),
        "Give back what was understood.",
        run=RUN + "echo",
        example="vaultspec-core demo echo one --name x",
        operands=(
            Operand("first", "The first word.", required=False),
            Operand("rest", "The others.", required=False, variadic=True),
        ),
        flags=(
            Flag("--name", "A name.", value="NAME", short="-n"),
            Flag("--arg", "An argument.", value="ARG", many=True),
            Flag("--mode", "How.", value="MODE", choices=("tool", "dependency", "dev"), default="tool"),
            Flag("--limit", "How many.", value="N", number=True, default=20),
            Flag("--force", "Even so."),
            Flag("--hints", "Next steps.", negatable=True),
        ),
        workspace=False,
    ),
    Verb(
        ("demo", "needs"),
        "Want one word of two.",
        run=RUN + "echo",
        example="vaultspec-core demo needs red",
        operands=(Operand("colour", "What to paint.", choices=("red", "green")),),
        workspace=False,
    ),
    Verb(
        ("demo", "text"),
        "Print a document of its own, and no JSON.",
        run=RUN + "text",
        example="vaultspec-core demo text",
        flags=(Flag("--name", "A name.", value="NAME"),),
        json=False,
        workspace=False,
    ),
    Verb(
        ("demo", "old"),
        "Do what another verb does.",
        run=RUN + "echo",
        example="vaultspec-core demo old",
        workspace=False,
        deprecated="use `demo echo`",
    ),
    Verb(
        ("demo", "show"),
        "Show one block of each kind.",
        run=RUN + "show",
        example="vaultspec-core demo show",
        workspace=False,
    ),
    Verb(
        ("demo", "refuse"),
        "Refuse.",
        run=RUN + "refuse",
        example="vaultspec-core demo refuse",
        workspace=False,
    ),
    Verb(
        ("demo", "fault"),
        "Fail by a fault of ours.",
        run=RUN + "fault",
        example="vaultspec-core demo fault",
        flags=(Flag("--name", "A name.", value="NAME"),),
        workspace=False,
    ),
    Verb(
        ("demo", "wait"),
        "Say that it runs, in a file, and wait to be stopped.",
        run=RUN + "wait",
        example="vaultspec-core demo wait",
        operands=(Operand("file", "Where to say so."),),
        workspace=False,
    ),
    Verb(
        ("demo", "long"),
        "Print very much.",
        run=RUN + "long",
        example="vaultspec-core demo long",
        workspace=False,
    ),
    Verb(
        ("demo", "ask"),
        "Ask for a yes.",
        run=RUN + "ask",
        example="vaultspec-core demo ask",
        workspace=False,
    ),
    Verb(
        ("demo", "slow"),
        "Take three seconds.",
        run=RUN + "slow",
        example="vaultspec-core demo slow",
        workspace=False,
    ),
    Verb(
        ("demo", "here"),
        "Say where the workspace is.",
        run=RUN + "here",
        example="vaultspec-core demo here",
    ),
)
