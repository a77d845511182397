"""What came of a case: one call in one dtype, forward or backward."""

from dataclasses import dataclass

PADDLE, TORCH = "paddle", "torch"


@dataclass(frozen=True)
class Outcome:
    """How a case went; `problem` is None if both sides agree."""

    op: str
    oracle: str
    sample: str
    dtype: str
    direction: str  # forward, backward, distribution
    problem: str | None

    def __str__(self) -> str:
        return f"{self.op} {self.dtype} {self.direction} {self.sample}: {self.problem or 'agreed'}"
