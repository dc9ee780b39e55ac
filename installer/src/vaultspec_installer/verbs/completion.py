"""`completion`."""

from vaultspec_core.verb import Operand, Verb

VERBS = (
    Verb(
        ("completion",),
        "Print a script that completes the commands in a shell.",
        run="vaultspec_installer.commands.completion:show",
        example="vaultspec-core completion bash > ~/.local/share/bash-completion/completions/vaultspec-core",
        operands=(Operand("shell", "Which shell.", choices=("bash", "zsh", "fish", "powershell")),),
        workspace=False,
    ),
)
