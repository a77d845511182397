"""`explain`: which kernel a call takes."""

from __future__ import annotations

import argparse
import ast
import re
from typing import Any

import torch

from .. import registry
from .._op_info import OpInfo
from . import _extensions

SHAPE = (2, 2)  # of the tensors that nobody wrote


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("op", metavar="OP")
    help = "tensor[2,3] of --dtype, float32[2,3], torch.int64, or a Python literal; default: 2x2 tensors for what is required"
    parser.add_argument("arguments", nargs="*", metavar="ARG", help=help)
    _extensions.add_argument(parser)
    parser.add_argument("--device", default="cpu", help="of the tensors; default: %(default)s")
    parser.add_argument("--dtype", default="float32", help="of the tensors that do not name one; default: %(default)s")


def run(options: argparse.Namespace) -> int:
    _extensions.load(options)
    device, dtype = _device(options.device), _dtype(options.dtype)
    if options.arguments:
        arguments = [parse_argument(text, device, dtype) for text in options.arguments]
    else:
        arguments = [torch.zeros(SHAPE, dtype=dtype, device=device) for _ in range(required_tensors(registry.info(options.op)))]
    print(registry.explain(options.op, *arguments))
    return 0


def required_tensors(op: OpInfo) -> int:
    """How many tensors a call of `op` needs.

    Raises:
        ValueError: it needs something else as well.
    """
    parameters = op.schema[1 : op.schema.index(") -> ")]
    needed = [text for text in re.split(r", (?![^\[]*\])", parameters) if text and "=" not in text and "? " not in text]
    if other := [text for text in needed if not re.match(r"Tensor(\(\w!\))? ", text)]:
        raise ValueError(f"phi_torch.{op.name} needs '{other[0]}'; write its arguments: {op.name}({parameters})")
    return len(needed)


def parse_argument(text: str, device: torch.device, dtype: torch.dtype) -> Any:
    """`tensor[2,3]` and `float32[2,3]` are tensors, `torch.int64` is a dtype, anything else a Python literal.

    Raises:
        ValueError: it is none of them.
    """
    if match := re.fullmatch(r"(?:torch\.)?(\w+)\[([\d, ]*)\]", text):
        own = dtype if match[1] == "tensor" else _dtype(match[1])
        return torch.zeros([int(n) for n in match[2].split(",") if n.strip()], dtype=own, device=device)
    if text.startswith("torch."):
        return _dtype(text.removeprefix("torch."))
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        raise ValueError(f"argument {text!r}: expected float32[2,3], torch.int64 or a Python literal") from None


def _device(name: str) -> torch.device:
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise ValueError(f"--device {name}: this torch has no such device here ({reason}); leave it out for the CPU") from None


def _dtype(name: str) -> torch.dtype:
    found = getattr(torch, name.removeprefix("torch."), None)
    if not isinstance(found, torch.dtype):
        raise ValueError(f"torch has no dtype '{name}'")
    return found
