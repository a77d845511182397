"""Composites of recurrent networks, step by step."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .widened import widened

_BIASES_OF_HALF = 2  # weight_list has the weights in its first half, the biases in the second


class _Network:
    """The attributes of `rnn`, and what its layers compute: half types in float32."""

    def __init__(
        self,
        x: Tensor,
        weight_list: Sequence[Tensor],
        sequence_length: Tensor | None,
        dropout: float,
        directions: int,
        layers: int,
        mode: str,
    ) -> None:
        if dropout > 0 and layers > 1:
            raise NotImplementedError("rnn: with dropout there is no second derivative, vmap or forward mode; pass dropout_prob=0")
        self.dtype = x.dtype
        self.weights = [widened(w) for w in weight_list]
        self.directions, self.layers, self.mode = directions, layers, mode
        steps = torch.arange(x.shape[0], device=x.device)
        runs = torch.ones_like(steps[:, None]) if sequence_length is None else steps[:, None] < sequence_length
        self.runs = (runs != 0).unsqueeze(-1)

    def parts(self, k: int) -> list[Tensor]:
        """The weights of the input and of h, and their biases, of one direction of a layer."""
        at = len(self.weights) // _BIASES_OF_HALF
        return [self.weights[i] for i in (2 * k, 2 * k + 1, at + 2 * k, at + 2 * k + 1)]

    def times(self, k: int, length: int) -> list[int]:
        return list(range(length))[:: -1 if k % self.directions else 1]

    def cell(self, from_x: Tensor, from_h: Tensor, h: Tensor, c: Tensor) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
        """The next h and c, the gates, and what is kept of the cell. Only an LSTM has a c; that of others means nothing."""
        if self.mode == "LSTM":
            i, f, g, o = (from_x + from_h).chunk(4, -1)
            i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
            c = f * c + i * g
            return o * c.tanh(), c, [i, f, g, o], c
        if self.mode == "GRU":
            (xr, xz, xn), (hr, hz, hn) = from_x.chunk(3, -1), from_h.chunk(3, -1)
            r, z = (xr + hr).sigmoid(), (xz + hz).sigmoid()
            n = (xn + r * hn).tanh()
            return (h - n) * z + n, c, [r, z, n], hn
        total = from_x + from_h
        h = total.relu() if self.mode == "RNN_RELU" else total.tanh()
        return h, c, [h], h

    def run(self, k: int, x: Tensor, h: Tensor, c: Tensor) -> dict[str, list[Tensor]]:
        """All steps of one direction, by their times: the states before and after each, gates and cells."""
        w_x, w_h, b_x, b_h = self.parts(k)
        from_x = x @ w_x.t() + b_x
        length = x.shape[0]
        kept: dict[str, list[Tensor]] = {name: [h] * length for name in ("out", "before", "c", "c_before", "gates", "cells")}
        for t in self.times(k, length):
            runs = self.runs[t]
            kept["before"][t], kept["c_before"][t] = h, c
            next_h, next_c, gates, cells = self.cell(from_x[t], h @ w_h.t() + b_h, h, c)
            kept["out"][t], kept["cells"][t] = torch.where(runs, next_h, 0), torch.where(runs, cells, 0)
            kept["gates"][t] = torch.where(runs, torch.cat(gates, -1), 0)
            h = torch.where(runs, next_h, h)
            c = torch.where(runs, next_c, c)
        kept["last"] = [h, c]
        return kept

    def forward(self, x: Tensor, pre_state: Sequence[Tensor]) -> list[tuple[Tensor, list[dict[str, list[Tensor]]]]]:
        """For each layer its input, and what `run` says of each direction."""
        states = [widened(s) for s in pre_state]
        x, found = widened(x), []
        for layer in range(self.layers):
            ks = range(layer * self.directions, (layer + 1) * self.directions)
            runs = [self.run(k, x, states[0][k], states[-1][k]) for k in ks]
            found.append((x, runs))
            x = torch.cat([_stack(run["out"], x, states[0].shape[2]) for run in runs], -1)
        return [*found, (x, [])]

    def cell_grad(
        self, runs: dict[str, list[Tensor]], t: int, h_grad: Tensor, c_grad: Tensor
    ) -> tuple[list[Tensor], list[Tensor], Tensor, Tensor]:
        """The gradients of what comes from x, of what comes from h, of h itself, and of c."""
        gates = runs["gates"][t].chunk({"LSTM": 4, "GRU": 3}.get(self.mode, 1), -1)
        if self.mode == "LSTM":
            i, f, g, o = gates
            tanh_c = runs["cells"][t].tanh()
            c_grad = c_grad + h_grad * o * (1 - tanh_c * tanh_c)
            by_gate = [
                c_grad * g * i * (1 - i),
                c_grad * runs["c_before"][t] * f * (1 - f),
                c_grad * i * (1 - g * g),
                h_grad * tanh_c * o * (1 - o),
            ]
            return by_gate, by_gate, torch.zeros_like(h_grad), c_grad * f
        if self.mode == "GRU":
            r, z, n = gates
            n_grad = h_grad * (1 - z) * (1 - n * n)
            shared = [n_grad * runs["cells"][t] * r * (1 - r), h_grad * (runs["before"][t] - n) * z * (1 - z)]
            return [*shared, n_grad], [*shared, n_grad * r], h_grad * z, c_grad
        (h,) = gates
        grad = torch.where(h <= 0, 0, h_grad) if self.mode == "RNN_RELU" else h_grad * (1 - h * h)
        return [grad], [grad], torch.zeros_like(h_grad), c_grad

    def direction_grad(
        self, k: int, x: Tensor, runs: dict[str, list[Tensor]], grad: Tensor, state_grad: list[Tensor]
    ) -> tuple[Tensor, list[Tensor], list[Tensor]]:
        """The gradients of the input, of the first states, and of the weights and biases."""
        w_x, w_h = self.parts(k)[:2]
        h_grad, c_grad = state_grad[0], state_grad[-1]
        from_x, from_h = ([grad.new_zeros(x.shape[1], w_x.shape[0])] * x.shape[0] for _ in range(2))
        for t in reversed(self.times(k, x.shape[0])):
            is_run = self.runs[t]
            of_x, of_h, next_h, next_c = self.cell_grad(runs, t, h_grad + grad[t], c_grad)
            from_x[t], from_h[t] = (torch.where(is_run, torch.cat(g, -1), 0) for g in (of_x, of_h))
            h_grad = torch.where(is_run, next_h, h_grad) + from_h[t] @ w_h
            c_grad = torch.where(is_run, next_c, c_grad)
        of_gates, of_products = (_stack(g, x, w_x.shape[0]) for g in (from_x, from_h))
        before = _stack(runs["before"], x, w_h.shape[1])
        flat = of_gates.flatten(0, 1).t(), of_products.flatten(0, 1).t()
        weights = [flat[0] @ x.flatten(0, 1), flat[1] @ before.flatten(0, 1), flat[0].sum(1), flat[1].sum(1)]
        return of_gates @ w_x, [h_grad, c_grad], weights


def _stack(steps: Sequence[Tensor], x: Tensor, width: int) -> Tensor:
    return torch.stack(list(steps)) if steps else x.new_zeros(0, x.shape[1], width)


def rnn(
    x: Tensor,
    pre_state: Sequence[Tensor],
    weight_list: Sequence[Tensor],
    sequence_length: Tensor | None = None,
    dropout_state_in: Tensor | None = None,
    dropout_prob: float = 0.0,
    is_bidirec: bool = False,
    input_size: int = 10,
    hidden_size: int = 100,
    num_layers: int = 1,
    mode: str = "RNN_TANH",
    seed: int = 0,
    is_test: bool = False,
) -> tuple[Tensor, Tensor, list[Tensor], Tensor]:
    net = _Network(x, weight_list, sequence_length, 0 if is_test else dropout_prob, 1 + is_bidirec, num_layers, mode)
    *layers, (out, _) = net.forward(x, pre_state)
    directions = [run for _, runs in layers for run in runs]
    last = [torch.stack([run["last"][i] for run in directions]).to(x.dtype) for i in range(len(pre_state))]
    names = ["gates", "cells"] if mode in ("LSTM", "GRU") else ["gates"]
    kept = [step.flatten() for name in names for run in directions for step in run[name]]
    kept += [input.flatten() for input, _ in layers[1:]]
    reserve = torch.cat(kept).to(x.dtype).detach() if kept else x.new_empty(0)
    return out.to(x.dtype), torch.empty(0, dtype=torch.uint8, device=x.device), last, reserve


def rnn_grad(
    x: Tensor,
    pre_state: Sequence[Tensor],
    weight_list: Sequence[Tensor],
    sequence_length: Tensor | None,
    out: Tensor,
    dropout_state_out: Tensor,
    reserve: Tensor,
    out_grad: Tensor,
    state_grad: Sequence[Tensor],
    dropout_prob: float = 0.0,
    is_bidirec: bool = False,
    input_size: int = 10,
    hidden_size: int = 100,
    num_layers: int = 1,
    mode: str = "RNN_TANH",
    seed: int = 0,
    is_test: bool = False,
) -> tuple[Tensor, list[Tensor], list[Tensor]]:
    """What the steps computed is made again, so that it is differentiable."""
    directions = 1 + is_bidirec
    net = _Network(x, weight_list, sequence_length, 0 if is_test else dropout_prob, directions, num_layers, mode)
    states = [widened(g) for g in state_grad]
    first: dict[int, list[Tensor]] = {}
    weights = [*weight_list]
    grad = widened(out_grad)
    for layer, (input, runs) in reversed([*enumerate(net.forward(x, pre_state)[:-1])]):
        parts = grad.chunk(directions, -1)
        grad = torch.zeros_like(input)
        for d in range(directions):
            k = layer * directions + d
            found, first[k], by_weight = net.direction_grad(k, input, runs[d], parts[d], [s[k] for s in states])
            grad = grad + found
            at = len(weights) // _BIASES_OF_HALF
            for i, g in zip((2 * k, 2 * k + 1, at + 2 * k, at + 2 * k + 1), by_weight):
                weights[i] = g.to(x.dtype)
    before = [torch.stack([first[k][i] for k in sorted(first)]).to(x.dtype) for i in range(len(states))]
    return grad.to(x.dtype), before, weights
