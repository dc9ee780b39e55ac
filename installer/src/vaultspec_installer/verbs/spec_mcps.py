"""`spec mcps ...`: definitions, and their enrollment in the clients."""

from vaultspec_core.verb import DIFF, DRY_RUN, Flag, Operand, Verb

_STRICT = Flag("--strict-secrets", "Refuse literal secrets instead of warning of them.")

VERBS = (
    Verb(
        ("spec", "mcps", "list"),
        "List the canonical definitions of MCP servers, invalid ones with their faults.",
        "vaultspec_installer.commands.definitions:list_definitions",
        "vaultspec-core spec mcps list",
    ),
    Verb(
        ("spec", "mcps", "add"),
        "Write a canonical definition; no client's file is touched.",
        "vaultspec_installer.commands.definitions:add",
        "vaultspec-core spec mcps add search --command uvx --arg search-mcp --env REGION=eu",
        operands=(Operand("server", "The server's name.", required=False),),
        flags=(
            Flag("--name", "The server's name, as a flag.", value="NAME"),
            Flag("--command", "The program that starts the server.", value="PROGRAM"),
            Flag("--arg", "One argument of it; in order, repeatable.", value="ARG", many=True),
            Flag("--env", "One variable of its environment; repeatable.", value="NAME=VALUE", many=True),
            Flag("--config", "The whole definition as JSON.", value="JSON"),
            Flag("--from-json", "The same; @FILE reads a file, - reads stdin.", value="JSON|@FILE|-"),
            Flag("--force", "Overwrite a definition of this name."),
            _STRICT,
            DRY_RUN,
            DIFF,
        ),
        denied="changes which programs clients start",
    ),
    Verb(
        ("spec", "mcps", "remove"),
        "Delete a canonical definition: your own first, then the bundled one; no client's file is touched.",
        "vaultspec_installer.commands.definitions:remove",
        "vaultspec-core spec mcps remove search --force",
        operands=(Operand("server", "The server's name."),),
        flags=(Flag("--force", "Delete without asking."), DRY_RUN, DIFF),
        denied="changes which programs clients start",
    ),
)
