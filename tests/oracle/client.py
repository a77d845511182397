"""Tensors of ours to Paddle's process, and its answers back."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from phi_torch._oracle.client import Worker

CALLS = Path(__file__).with_name("paddle_calls.py")
SECONDS = 20  # that a call may take


@dataclass(frozen=True)
class Answer:
    """What came of a call. Either `error` or the outputs, flattened; either `grads_error` or the gradients, if asked for."""

    outputs: list[Any]
    args: list[Any]  # the tensors among the arguments, after the call
    grads: list[Any]
    error: str | None
    grads_error: str | None


class Paddle:
    """PaddlePaddle in the interpreter `python`.

    Raises:
        OSError, EOFError: there is no PaddlePaddle.
    """

    def __init__(self, python: str) -> None:
        self._worker = Worker(python, CALLS, threads=1)
        self.version = self._worker.version
        self.fresh, self.close = self._worker.fresh, self._worker.close

    def call(self, op: str, args: list[Any], cotangents: list[tuple[int, torch.Tensor]]) -> Answer:
        """`paddle._C_ops.<op>(*args)` and, with cotangents (output, its tensor), the gradients of what requires them."""
        coded = [(index, encoded(tensor)) for index, tensor in cotangents]
        answer = self._worker.ask({"op": op, "args": encoded(args), "cotangents": coded}, SECONDS)
        outputs, after, grads = ([decoded(v) for v in answer.get(key, [])] for key in ("outputs", "args", "grads"))
        return Answer(outputs, after, grads, answer.get("error"), answer.get("grads_error"))


def encoded(value: Any) -> Any:
    """An argument as plain Python objects; see paddle_calls.py."""
    if isinstance(value, (list, tuple)):
        return [encoded(v) for v in value]
    if isinstance(value, torch.dtype):
        return {"dtype": str(value).removeprefix("torch.")}
    if isinstance(value, torch.device):
        return {"place": str(value)}
    if not isinstance(value, torch.Tensor):
        return value
    data = value.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
    dtype = str(value.dtype).removeprefix("torch.")
    return {"tensor": dtype, "shape": list(value.shape), "data": data, "grad": value.requires_grad}


def decoded(value: Any) -> torch.Tensor | None:
    if value is None:
        return None
    dtype = getattr(torch, value["tensor"])
    flat = torch.frombuffer(bytearray(value["data"]), dtype=dtype) if value["data"] else torch.empty(0, dtype=dtype)
    return flat.reshape(value["shape"])
