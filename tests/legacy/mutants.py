"""Files of models that are wrong in random ways; everything follows from the generator that is passed in."""

from __future__ import annotations

import os
import random
import signal
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from phi_torch.legacy import Attribute, ProgramDesc, ProgramError
from phi_torch.legacy._write import write_program
from phi_torch.legacy.description import ATTRIBUTE_TYPES

ABSURD = (b"\xff\xff\xff\xff\x0f", b"\xff" * 9 + b"\x01", b"\x80\x80\x80\x80\x08", b"\x00\x00\x00\x80", b"\xff" * 8)
MUTANTS = int(os.environ.get("PHI_MUTANTS", "300"))  # how many of them a test tries
NUMBERS = (-(1 << 31), -2, -1, 0, 1, 7, (1 << 31) - 1)


def outcome(read: Callable[[], object], size: int, slack: int) -> bool:
    """Whether `read` gives a value, with an error of ours otherwise, in memory of 8 * size + slack bytes."""
    valid, peak = _measured(read)
    if peak > 8 * size + slack:  # tables of Python's own grow at some call or other: what the file needs, it needs again
        assert _measured(read)[1] <= 8 * size + slack
    return valid


def ran(call: Callable[[], object]) -> str:
    """How the call of a program ends, which may be one of a loop without an end: what it raises is an error of an operator's."""

    def stop(*_: Any) -> None:
        raise RuntimeError("a loop has no end")

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 2)
    try:
        call()
        return "ran"
    except (ValueError, TypeError, IndexError, NotImplementedError, RuntimeError) as error:
        assert str(error)
        return "failed"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _measured(read: Callable[[], object]) -> tuple[bool, int]:
    """Whether `read` gives a value, and the bytes that it took."""
    tracemalloc.start()
    try:
        read()
        valid = True
    except ProgramError as error:
        assert str(error)
        valid = False
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return valid, peak


def bits(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def truncated(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def sizes(data: bytes, rng: random.Random) -> bytes:
    at, size = rng.randrange(len(data)), rng.choice(ABSURD)
    return data[:at] + size + data[at + (len(size) if rng.random() < 0.5 else 1) :]


def pieces(data: bytes, rng: random.Random) -> bytes:
    """A piece goes, or comes twice."""
    begin, end = sorted(rng.randrange(len(data)) for _ in range(2))
    return data[:begin] + (data[end:] if rng.random() < 0.5 else data[begin:end] + data[begin:])


ON_BYTES: tuple[Callable[[bytes, random.Random], bytes], ...] = (bits, truncated, sizes, pieces)


def small_ones_first(sizes: Sequence[int], rng: random.Random) -> int:
    """The number of one of some files: the smaller, the more often, so that each of them takes as long as the others."""
    return rng.choices(range(len(sizes)), [1 / size for size in sizes])[0]


def described(program: ProgramDesc, rng: random.Random) -> bytes:
    """A program whose parts are valid, but do not fit together: names, blocks, types, slots, duplicates."""
    blocks = [replace(block, vars=dict(block.vars), ops=list(block.ops)) for block in program.blocks]
    block = rng.choice(blocks)
    kind = rng.randrange(7)
    if kind == 0:
        rng.choice((block, blocks[0])).parent_idx = rng.choice((*NUMBERS, block.idx))
    elif kind == 1:
        block.idx = rng.choice(NUMBERS)
    elif kind == 2 and block.vars:
        name = rng.choice(list(block.vars))
        block.vars[name] = replace(block.vars[name], name=rng.choice(list(block.vars)))
    elif block.ops:
        at = rng.randrange(len(block.ops))
        op = block.ops[at]
        op = block.ops[at] = replace(op, inputs=dict(op.inputs), outputs=dict(op.outputs), attrs=dict(op.attrs))
        if kind == 3 and op.attrs:
            name, (type, _) = rng.choice(list(op.attrs)), rng.choice(ATTRIBUTE_TYPES)
            op.attrs[name] = Attribute(type, _value(type, rng))
        elif kind == 4:
            op.attrs["sub_block"] = Attribute("BLOCK", rng.choice((*NUMBERS, block.idx)))
        elif kind == 5:
            slots = rng.choice((op.inputs, op.outputs))
            slots[rng.choice(("X", "Out", *slots))] = rng.choices(list(block.vars) or ["none"], k=rng.randrange(4))
        else:
            op.type = rng.choice(rng.choice(blocks).ops or [op]).type
    return write_program(replace(program, blocks=blocks))


def _value(type: str, rng: random.Random) -> object:
    if type.endswith("S") and type != "FLOAT64S":
        return [_value(type[:-1], rng) for _ in range(rng.randrange(3))]
    one = {"FLOAT": 1.5, "FLOAT64": 0.1, "FLOAT64S": [0.1], "STRING": "\udcff", "VAR": "x", "BOOLEAN": True, "SCALAR": 1j}
    return one[type] if type in one else rng.choice(NUMBERS)
