"""Completion for PowerShell, with what each word does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .shape import Place

SCRIPT = """\
# vaultspec-core completion for PowerShell. Load it with: vaultspec-core completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName vaultspec-core -ScriptBlock {{
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @{{
{words}
    }}
    $options = @{{
{options}
    }}
    $values = @{{
{values}
    }}
    $at = ''
    $flag = ''
    $before = $commandAst.CommandElements | Where-Object {{ $_.Extent.EndOffset -lt $cursorPosition }} | Select-Object -Skip 1
    foreach ($element in $before) {{
        $next = "$at $element"
        if ($flag) {{ $flag = '' }}
        elseif ($values.ContainsKey($next)) {{ $flag = $next }}
        elseif ($options.ContainsKey($next)) {{ $at = $next }}
    }}
    $found = if ($flag) {{ $values[$flag] }} elseif ($wordToComplete -like '-*') {{ $options[$at] }} else {{ $words[$at] }}
    foreach ($pair in $found) {{
        if ($pair[0] -like "$wordToComplete*") {{
            [System.Management.Automation.CompletionResult]::new($pair[0], $pair[0], 'ParameterValue', $pair[1])
        }}
    }}
}}
"""


def script(places: Sequence[Place]) -> str:
    """The script. A word without known values falls back to file names."""
    return SCRIPT.format(
        words=_table((place.at, place.words) for place in places if place.words),
        options=_table((place.at, place.options) for place in places),
        values=_table(
            (f"{place.at} {name}", [(word, word) for word in known]) for place in places for name, known in place.values
        ),
    )


def _table(rows: Iterable[tuple[str, Sequence[tuple[str, str]]]]) -> str:
    return "\n".join(f"        {_quoted(key)} = @({_pairs(pairs)})" for key, pairs in rows)


def _pairs(pairs: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f",@({_quoted(word)}, {_quoted(text or word)})" for word, text in pairs)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
