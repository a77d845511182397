"""Operators of programs that no kernel runs: functions of a program's variables; `_operators.py` has the simple ones."""

from . import (  # noqa: F401  # they register themselves
    attention_sequences,
    beams,
    chunks,
    detection_map,
    fused_sequences,
    lod_branches,
    loops,
    metrics,
    rank_tables,
    recurrent_v1,
    saved,
    sequences,
    sequences_labels,
    sequences_rows,
)
