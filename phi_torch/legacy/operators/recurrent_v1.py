"""Recurrent networks on sequences of different lengths, and their step: `lstm`, `gru` and `gru_unit`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from .._differentiable import differentiable
from .._operators import Operands
from ..lod import Lod, lengths_of, with_lod
from .sequences import places, sequences

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "identity": lambda x: x,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
}
State = tuple[Tensor, ...]


def activation(op: Operands, name: str) -> Callable[[Tensor], Tensor]:
    """That of an attribute: its name, or its number.

    Raises:
        ValueError: there is none.
    """
    value: Any = op.attr(name)
    names = [*ACTIVATIONS]
    known = names[value] if isinstance(value, int) and 0 <= value < len(names) else value
    if known not in ACTIVATIONS:
        raise ValueError(f"attribute {name}: expected one of {names}, got {value!r}")
    return ACTIVATIONS[known]


def expect_shape(op: Operands, slot: str, *shape: int) -> Tensor:
    """The value of a slot that has this shape."""
    value: Tensor = op.input(slot)
    if [*value.shape] != [*shape]:
        raise ValueError(f"slot {slot}: expected shape {[*shape]}, got {[*value.shape]}")
    return with_lod(value, [])


def over_sequences(
    op: Operands, slot: str, state: State, step: Callable[[Tensor, State], State]
) -> tuple[list[Tensor], Callable[[Tensor], Tensor], Lod]:
    """What a step gives for each row, the state first: for the first steps of all sequences, then the second ones, and so on, the
    longest sequence first; from the last row on where `is_reverse` is set. What puts such rows into the order of the sequences,
    and the levels that Paddle gives them: where each step begins, which rows they are, and which sequences.
    """
    x, lod = sequences(op, slot, most=1)
    lengths, reverse = lengths_of(lod[0]), op.attr("is_reverse")
    by_length = sorted(range(len(lengths)), key=lambda at: -lengths[at])
    found = list[State]()
    order, begins = list[int](), [0]
    for time in range(max(lengths)):
        running = [at for at in by_length if time < lengths[at]]
        rows = [lod[0][at + 1] - 1 - time if reverse else lod[0][at] + time for at in running]
        at = torch.tensor(running, device=x.device)
        new = step(x[rows], tuple(one[at] for one in state))
        state = tuple(one.index_copy(0, at, part) for one, part in zip(state, new))
        found.append(new)
        order += rows
        begins.append(len(order))
    if not found:
        raise ValueError(f"slot {slot}: expected a row at least, got none")
    back = torch.argsort(places([order], x))
    return [torch.cat(some) for some in zip(*found)], lambda rows: with_lod(rows[back], lod), [begins, order, by_length]


def first_state(op: Operands, slot: str, like: str, width: int) -> Tensor:
    x, lod = sequences(op, like, most=1)
    count = len(lod[0]) - 1
    return expect_shape(op, slot, count, width) if op.has(slot) else x.new_zeros(count, width)


@differentiable("lstm")
def lstm(op: Operands) -> None:
    """Gates are those of the candidate, the input, to forget, and of the output. Behind their biases stand, with `use_peepholes`,
    the weights of the cell in the last three.
    """
    width = op.input("Weight").shape[0]
    weight, peepholes = expect_shape(op, "Weight", width, 4 * width), op.attr("use_peepholes")
    bias = expect_shape(op, "Bias", 1, (7 if peepholes else 4) * width)[0]
    gate, cell, candidate = (activation(op, f"{name}_activation") for name in ("gate", "cell", "candidate"))
    of_input, of_forget, of_output = bias[4 * width :].split(width) if peepholes else [bias.new_zeros(width)] * 3

    def step(x: Tensor, state: State) -> State:
        hidden, before = state
        c, i, f, o = (x + bias[: 4 * width] + hidden @ weight).split(width, -1)
        c, i, f = candidate(c), gate(i + before * of_input), gate(f + before * of_forget)
        now = i * c + f * before
        o, shown = gate(o + now * of_output), cell(now)
        return o * shown, now, torch.cat([c, i, f, o], -1), shown

    if op.input("Input").shape[1:] != weight.shape[1:]:
        raise ValueError(f"slot Input: expected {4 * width} columns, got shape {[*op.input('Input').shape]}")
    first = tuple(first_state(op, slot, "Input", width) for slot in ("H0", "C0"))
    (hidden, now, gates, shown), in_order, steps = over_sequences(op, "Input", first, step)
    op.set("Hidden", in_order(hidden))
    op.set("Cell", in_order(now))
    op.set("BatchGate", with_lod(gates, steps))
    op.set("BatchCellPreAct", shown)


def _gru_step(op: Operands, width: int) -> Callable[[Tensor, Tensor], State]:
    """Of the gates and the state before: the state, the gates, and the state as it was reset. The memory of the weight is a
    matrix for the gates to update and to reset, and behind it that for the candidate.
    """
    weight = expect_shape(op, "Weight", width, 3 * width).reshape(-1)
    of_gates, of_state = weight[: 2 * width * width].reshape(width, -1), weight[2 * width * width :].reshape(width, -1)
    bias = expect_shape(op, "Bias", 1, 3 * width) if op.has("Bias") else 0.0
    act, gate, origin = activation(op, "activation"), activation(op, "gate_activation"), op.attr("origin_mode")

    def step(x: Tensor, hidden: Tensor) -> State:
        x = x + bias
        update, reset = gate(x[:, : 2 * width] + hidden @ of_gates).split(width, -1)
        kept = reset * hidden
        candidate = act(x[:, 2 * width :] + kept @ of_state)
        old, new = (update, 1 - update) if origin else (1 - update, update)
        return old * hidden + new * candidate, torch.cat([update, reset, candidate], -1), kept

    if op.input("Input").shape[1:] != (3 * width,):
        raise ValueError(f"slot Input: expected {3 * width} columns, got shape {[*op.input('Input').shape]}")
    return step


@differentiable("gru")
def gru(op: Operands) -> None:
    width = op.input("Weight").shape[0]
    step, first = _gru_step(op, width), first_state(op, "H0", "Input", width)
    (hidden, gates, kept), in_order, steps = over_sequences(op, "Input", (first,), lambda x, state: step(x, *state))
    op.set("Hidden", in_order(hidden))
    op.set("BatchHidden", with_lod(hidden, steps))
    op.set("BatchGate", with_lod(gates, steps))
    op.set("BatchResetHiddenPrev", kept)


@differentiable("gru_unit")
def gru_unit(op: Operands) -> None:
    width = op.input("Weight").shape[0]
    before = expect_shape(op, "HiddenPrev", op.input("Input").shape[0], width)
    hidden, gates, kept = _gru_step(op, width)(with_lod(op.input("Input"), []), before)
    op.set("Hidden", hidden)
    op.set("Gate", gates)
    op.set("ResetHiddenPrev", kept)
