"""Calls that are right, or nearly so: what random calls of an operator start from."""

from __future__ import annotations

import importlib
import inspect
import random
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

from .. import _namespaces, registry
from ..testing.case import Case, weighted_sum
from ..testing.samples import Arguments
from . import values
from .recipes import Call, ListRecipe, Recipe, TensorRecipe, Text, evaluate, of_value

GUESSES, KEPT, MOST = 2000, 40, 4000  # calls that are guessed, those kept; elements of all tensors of one call


class Seeds:
    """The calls that are known to be right, of each operator; `samples` is a package with a module of samples for each."""

    def __init__(self, samples: str | None, note: Callable[[str], None]) -> None:
        self._samples = samples
        self._note = note  # is told what is about to run
        self.of = lru_cache(maxsize=None)(self._of)

    def _of(self, op: str) -> list[Call]:
        """Calls of every overload of `op`, in the order of its overloads."""
        info = registry.info(op)
        plain = self._backward(op) if info.forward is not None else self._forward(op)
        return [call for overload in overloads(op) for call in _as_overload(op, overload, plain)]

    def _forward(self, op: str) -> list[dict[str, Any]]:
        found = [_named(op, args) for args in self._from_samples(op)]
        return found or self._guessed(op)

    def _from_samples(self, op: str) -> Iterator[tuple[Any, ...]]:
        if self._samples is None:
            return
        try:
            module = importlib.import_module(f"{self._samples}.{_namespaces.split(op)[1]}")
        except ModuleNotFoundError:
            return
        case = Case(op, module.SAMPLES)
        errors = [error.sample for error in getattr(module, "ERRORS", ())]
        for sample in (*module.SAMPLES, *module.SAMPLES, *errors):  # mostly right ones
            arguments = sample.make(case.float_dtype, grad=True)
            if sum(t.numel() for t in arguments.tensors()) <= MOST and not case.has_tensor_attributes(arguments):
                yield case.positional(arguments)

    def _guessed(self, op: str) -> list[dict[str, Any]]:
        """Random calls that the operator takes; those that Meta takes, if it knows the operator."""
        found, rng = [], random.Random(op)
        overload = overloads(op)[0]
        for _ in range(GUESSES):
            arguments = {a.name: _guess(a, rng) for a in overload._schema.arguments}
            call = Call(function_of(overload), arguments)
            self._note(call.source())
            try:
                with torch.no_grad():
                    evaluate(call.source())
            except Exception:
                continue
            found.append({name: evaluate(recipe.source()) for name, recipe in arguments.items()})
            if len(found) == KEPT:
                break
        return [_differentiable(arguments) for arguments in found]

    def _backward(self, op: str) -> list[dict[str, Any]]:
        """The calls that differentiating the forward operator makes; or, where it makes others, what belongs together."""
        info = registry.info(op)
        forward = info.beside(info.forward or "")
        calls = self._backward(forward) if registry.info(forward).forward is not None else self._forward(forward)
        recorded, composed = [], []
        for arguments in calls:
            self._note(f"backward of {forward}")
            with _Recorder(info.full_name) as recorder:
                try:
                    outputs = overloads(forward)[0](*arguments.values())
                    tensors = Arguments(tuple(arguments.values())).differentiable()
                    composed.append(_composed(op, arguments, outputs))
                    torch.autograd.grad(weighted_sum(outputs), tensors, allow_unused=True)
                except (RuntimeError, ValueError, TypeError, IndexError):
                    continue
            recorded += [_named(op, args, kwargs) for args, kwargs in recorder.calls[:1]]
        return [_differentiable(found) for found in recorded or composed]


def _composed(op: str, given: dict[str, Any], outputs: Any) -> dict[str, Any]:
    """Arguments of a backward operator by their names: inputs and outputs of the forward one, and gradients of these."""
    forward = registry.info(registry.info(op).beside(registry.info(op).forward or ""))
    known = given | dict(zip(forward.outputs, outputs if len(forward.outputs) > 1 else [outputs]))
    found = {}
    for argument in overloads(op)[0]._schema.arguments:
        value = known.get(argument.name.removesuffix("_grad"), argument.default_value)
        if argument.name == "output_mask":
            value = [True] * len(registry.info(op).outputs)
        found[argument.name] = known.get(argument.name, value)
    return found


def _differentiable(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments, whose tensors require gradients where they can."""

    def required(value: Any) -> Any:
        if isinstance(value, Tensor) and (value.is_floating_point() or value.is_complex()):
            return value.detach().requires_grad_()
        return [required(item) for item in value] if isinstance(value, list) else value

    return {name: required(value) for name, value in arguments.items()}


class _Recorder(TorchDispatchMode):
    """Notes the arguments of the calls of one operator."""

    def __init__(self, op: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._name = op if "::" in op else f"phi::{op}"
        self.calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func._schema.name == self._name:
            self.calls.append((args, kwargs or {}))
        return func(*args, **(kwargs or {}))


def overloads(op: str) -> list[Any]:
    """The overloads of an operator and of its in-place form, as torch.ops has them."""
    info = registry.info(op)
    namespace = getattr(torch.ops, info.namespace)
    found = []
    for name in info.overloads:
        packet, _, overload = name.partition(".")
        found.append(getattr(getattr(namespace, packet), overload or "default"))
    return found


def function_of(overload: Any) -> str:
    """The source of an overload: `torch.ops.phi.relu.out`."""
    namespace, name = overload._schema.name.split("::")
    return f"torch.ops.{namespace}.{name}.{overload._overloadname}"


def _named(op: str, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None) -> dict[str, Any]:
    """All arguments by name, those that are left out with their defaults."""
    schema = overloads(op)[0]._schema
    given = dict(zip((a.name for a in schema.arguments), args)) | (kwargs or {})
    return {a.name: given[a.name] if a.name in given else a.default_value for a in schema.arguments}


def _as_overload(op: str, overload: Any, plain: list[dict[str, Any]]) -> Iterator[Call]:
    """The calls in the form of one overload, and in that of the Python function, if it has one."""
    schema = overload._schema
    keywords = frozenset(a.name for a in schema.arguments if a.kwarg_only)
    for values_ in plain or [{}]:
        arguments = {a.name: _for(a, values_) for a in schema.arguments if a.name in values_ or not a.kwarg_only}
        arguments |= _written(op, schema, values_)
        yield Call(function_of(overload), arguments, keywords)
        python = _python_function(op, overload, set(arguments))
        if python is not None:
            yield Call(python, arguments, keywords)


def _python_function(op: str, overload: Any, arguments: set[str]) -> str | None:
    """The source of the Python function of an overload, if it has one that takes these arguments."""
    name = overload._schema.name.split("::")[1]
    python = _namespaces.function(registry.info(op).beside(name))
    module = _namespaces.NAMESPACES[registry.info(op).namespace].functions.__name__
    if (
        python is None
        or overload._overloadname not in ("default", "")
        or not set(inspect.signature(python).parameters) >= arguments
    ):
        return None
    source = f"{'phi_torch' if module == 'phi_torch.ops' else module}.{name}"
    try:
        evaluate(source)
    except (AttributeError, NameError):
        return None  # made by phi_torch.load: its module is nobody's attribute
    return source


def _for(argument: Any, given: dict[str, Any]) -> Recipe:
    """The recipe of an argument; of a number that this overload takes as a tensor, the tensor."""
    if argument.name not in given:
        return _guess(argument, random.Random(argument.name))
    value = given[argument.name]
    if "Tensor" in str(argument.real_type) and value is not None and not isinstance(value, (Tensor, list, tuple)):
        return Text(f"torch.tensor({value!r})")
    if str(argument.real_type) == "Tensor" and isinstance(value, (list, tuple)):
        return Text(f"torch.tensor({list(value)!r}, dtype=torch.int64)")
    return of_value(value)


def _written(op: str, schema: Any, given: dict[str, Any]) -> dict[str, Recipe]:
    """Tensors for the arguments `out`, of the shapes that Meta says."""
    names = [a.name for a in schema.arguments if a.kwarg_only and a.alias_info is not None]
    if not names:
        return {}
    try:
        meta = {name: _meta(value) for name, value in given.items()}
        outputs = overloads(op)[0](**meta)
    except Exception:
        return {name: TensorRecipe((2, 3)) for name in names}
    outputs = outputs if isinstance(outputs, tuple) else (outputs,)
    return {
        name: ListRecipe(tuple(TensorRecipe(tuple(t.shape), t.dtype) for t in out))
        if isinstance(out, list)
        else TensorRecipe(tuple(out.shape), out.dtype)
        for name, out in zip(names, outputs)
    }


def _meta(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.detach().to("meta")
    return [_meta(item) for item in value] if isinstance(value, (list, tuple)) else value


def _guess(argument: Any, rng: random.Random) -> Recipe:
    """A usual value: small tensors whose shapes often agree, defaults, small numbers."""
    type = str(argument.real_type)
    if argument.has_default_value() and rng.random() < 0.8:
        return of_value(argument.default_value)
    if "Tensor" in type:
        if "Optional" in type and rng.random() < 0.5:
            return Text("None")
        one = _guess_tensor(rng)
        return ListRecipe((one,) * rng.randint(1, 3)) if "List" in type else one
    if "List" in type:
        return Text(rng.choice(["[0]", "[1]", "[0, 1]", "[1, 1]", "[2, 3]", "[-1]", "[]"]))
    if "str" in type or "Device" in type or "ScalarType" in type:
        return values.attribute(type, rng)
    return Text(rng.choice(["1", "0", "2", "-1", "3"] if "float" not in type else ["1.0", "0.5", "0.0", "2.0"]))


def _guess_tensor(rng: random.Random) -> TensorRecipe:
    shape = rng.choice([(3, 4), (3, 4), (3, 4), (4,), (3,), (), (2, 3, 4), (2, 3, 5, 6), (4, 3), (1,), (0, 3), (4, 3, 3, 2)])
    if rng.random() < 0.25:
        return TensorRecipe(shape, rng.choice([torch.int64, torch.int32]), 0, 2)
    return TensorRecipe(shape, torch.float32)
