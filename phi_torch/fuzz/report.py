"""What was found, a line for each class of failure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .run import Finding

MOST = 5000  # characters of a call that are printed


def classes(findings: Iterable[Finding]) -> dict[tuple[str, str], list[Finding]]:
    """The failures by operator and message, in which numbers and shapes do not count; the shortest call first."""
    found: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        found.setdefault((finding.op, _bare(finding.problem)), []).append(finding)
    return {key: sorted(group, key=lambda f: (len(f.source), f.source, f.problem)) for key, group in sorted(found.items())}


def _bare(problem: str) -> str:
    text = re.sub(r"'[^']*'", "'_'", problem)
    text = re.sub(r"torch\.\w+|\b(bool|u?int\d+|b?float\d+\w*|complex\d+)\b", "dtype", text)
    return re.sub(r"[\[(][-\d, .]*[\])]|-?\d[\d.e+]*", "_", text)[:200]


def line(finding: Finding, modules: Sequence[str]) -> str:
    """The reproduction: a line of Python."""
    source = finding.source if len(finding.source) < MOST else finding.source[:MOST] + "..."
    return f"import {', '.join(['torch', 'phi_torch.fuzz', *modules])}; phi_torch.fuzz.check({source!r})"


def summary(findings: Iterable[Finding], modules: Sequence[str] = ()) -> str:
    """A paragraph for each class: how often, what, and a line that shows it; `modules` register the operators."""
    parts = []
    for (op, _), group in classes(findings).items():
        parts.append(f"{op}: {group[0].problem}  ({len(group)} times)\n  {line(group[0], modules)}")
    return "\n".join(parts)
