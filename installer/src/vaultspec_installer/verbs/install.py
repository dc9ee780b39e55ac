"""`install`."""

from vaultspec_core.verb import DIFF, DRY_RUN, Flag, Operand, Verb

VERBS = (
    Verb(
        ("install",),
        "Provision a workspace and enroll its MCP servers in the clients' own configuration.",
        "vaultspec_installer.commands.install:install",
        "vaultspec-core install --mode tool",
        operands=(
            Operand("provider", "A client, `all`, or `core` for the framework without clients.", required=False),
        ),
        flags=(
            Flag("--mode", "How clients start the server.", value="MODE", choices=("tool", "dependency", "dev")),
            Flag("--upgrade", "Converge the workspace on this release."),
            Flag("--force", "Also overwrite entries that were edited by hand or written by somebody else."),
            Flag(
                "--skip",
                "Leave a part out, remembered: core, mcp, hooks, precommit, gitignore, gitattributes or a client.",
                value="PART",
                many=True,
            ),
            Flag("--no-skip", "End a remembered --skip.", value="PART", many=True),
            Flag("--package", "Provision a companion package instead of vaultspec-core.", value="NAME"),
            Flag("--module", "The companion's launch module.", value="MODULE"),
            Flag(
                "--from",
                "The requirement that tool mode launches from, recorded: a version, a wheel, a path.",
                value="REQ",
            ),
            Flag("--strict-secrets", "Refuse literal secrets in committed files."),
            DRY_RUN,
            DIFF,
        ),
        workspace=False,
        denied="provisions the workspace and writes clients' files",
    ),
)
