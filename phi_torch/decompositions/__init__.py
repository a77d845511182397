"""The composites: each operator in terms of others, as its YAML entry says.

One formula serves double backward, forward mode, vmap, a backend without a kernel, and Inductor's fusion. In the
dispatcher it is an operator of its own, `phi_composite::<op>` (`my_composite::<op>` for an extension `my`), which the
C++ side looks up by name; the overload `vjp` differentiates it.
"""

from __future__ import annotations

import builtins
import dis
import importlib
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves, tree_map_only

from .._expect import expect
from .._namespaces import NAMESPACES
from .._op_info import OpInfo
from .errors import explained
from .transforms import is_transformed
from .widened import widened

# CompositeImplicitAutograd alone leaves functionalization and vmap out for operators outside of ATen.
KEYS = ("CompositeImplicitAutograd", "FuncTorchBatchedDecomposition", "Functionalize")
# In a node of the graph, functorch's levels are those of the backward pass: each op in there meets them by itself.
VJP_KEYS = ("CompositeImplicitAutograd", "FuncTorchDynamicLayerFrontMode", "Functionalize", "Batched")
MODULES = {"phi": torch.ops.phi, "aten": torch.ops.aten, "prims": torch.ops.prims, "torch": torch, "math": math}

_libraries: list[torch.library.Library] = []  # a library's registrations go when it does
_composites: dict[str, Composite] = {}


def _extreme(name: str) -> Callable[..., Any]:
    """`min` and `max` serve tensors as torch's and sizes as Python's."""
    tensor_function, number_function = getattr(torch, name), getattr(builtins, name)

    def function(*args: Any, **kwargs: Any) -> Any:
        return (tensor_function if isinstance(args[0], torch.Tensor) else number_function)(*args, **kwargs)

    return function


_FUNCTIONS: dict[str, Any] = {
    **{name: getattr(builtins, name) for name in ("abs", "bool", "float", "int", "len", "list", "range", "tuple")},
    "max": _extreme("max"),
    "min": _extreme("min"),
    "wide": widened,
}


class Composite:
    """The composite of one operator as a Python function, made when it is first called."""

    def __init__(self, op: OpInfo, package: str = __name__) -> None:
        self.op = op
        self.package = package

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """All outputs. Errors name the operator and its entry; those that are Python's of the expression become RuntimeError."""
        function = self.function
        try:
            return function(*args, **kwargs)
        except Exception as error:
            told = explained(error, self.op, args, kwargs)
            if told is error:
                raise
            raise told from error

    @cached_property
    def function(self) -> Callable[..., Any]:
        """Takes the operator's arguments by their YAML names; returns all outputs.

        Raises:
            NameError: the expression names neither an argument nor a function of torch.
            AttributeError, ModuleNotFoundError: there is no such `module:function`.
            TypeError: the function's parameters are not the operator's arguments.
        """
        text = self.op.composite or ""
        scope: dict[str, Any] = {"torch": torch}
        if match := re.fullmatch(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)", text):
            scope["_function"] = self._function_of_module(*match.groups())
            text = f"_function({', '.join(self.op.names)})"
        code = compile(f"lambda {self.op.params}: ({text})", self.op.loc, "eval")
        for name in _global_names(code):
            if name not in scope:
                scope[name] = self._resolve(name)
        compiled: Callable[..., Any] = eval(code, scope)
        return compiled

    @cached_property
    def _types(self) -> list[str]:
        """Of the arguments, without `?`."""
        return [parameter.split(" ")[0].rstrip("?") for parameter in self.parameters.split(", ")]

    @property
    def parameters(self) -> str:
        """Those of the schema, as it spells them."""
        return self.op.schema[1:].rpartition(") -> ")[0]

    def _resolve(self, name: str) -> Any:
        for found in (MODULES, _FUNCTIONS):
            if name in found:
                return found[name]
        if name == self.op.namespace:
            return getattr(torch.ops, name)
        if hasattr(torch, name):
            return getattr(torch, name)
        raise NameError(f"composite of '{self.op.name}' ({self.op.loc}) names '{name}', which torch has not")

    def _function_of_module(self, module: str, name: str) -> Callable[..., Any]:
        try:
            found = importlib.import_module(f"{self.package}.{module}" if self.package else module)
            function: Callable[..., Any] = getattr(found, name)
        except (AttributeError, ImportError) as error:
            raise type(error)(f"{self.op.composite}, composite of '{self.op.name}' ({self.op.loc}): {error}") from error
        expected, actual = self.op.names, list(inspect.signature(function).parameters)
        if actual != expected:
            raise TypeError(
                f"{self.op.composite}, composite of '{self.op.name}' ({self.op.loc}): expected parameters "
                f"({', '.join(expected)}), got ({', '.join(actual)})"
            )
        return function

    def vjp(self, grads: Sequence[Tensor | None], needed: Sequence[bool], *args: Any) -> list[Tensor]:
        """The gradients by those tensors among `args` of which `needed`, one bool for each tensor, is true.

        `grads` are those of the outputs. With grad mode on, the result can be differentiated in turn.
        """
        transformed = is_transformed()
        if transformed:  # what a level that has ended saved
            grads, args = tree_map_only(Tensor, torch._C._functorch.unwrap_if_dead, (grads, args))
        inputs: list[Tensor] = []
        self._replaced(args, needed, lambda t: inputs.append(t) or t)  # type: ignore[func-returns-value]
        incoming: list[Tensor] = []

        def outputs(*tensors: Tensor) -> tuple[Tensor, ...]:
            """Those that a gradient came for."""
            others = iter(tensors)
            pairs = zip(_flat(self(*self._replaced(args, needed, lambda _: next(others)))), grads)
            kept = [(o, g) for o, g in pairs if g is not None and (o.is_floating_point() or o.is_complex())]
            incoming[:] = [g for _, g in kept]
            return tuple(o for o, _ in kept)

        if transformed:  # a level of its own, above those of the transforms
            pull = torch.func.vjp(outputs, *inputs)[1]
            return list(pull(tuple(incoming)))
        if all(g is None or (type(g.numel()) is int and g.numel() == 0) for g in grads):
            return [torch.zeros_like(t) for t in inputs]  # ATen's operators refuse some shapes without elements
        create_graph = torch.is_grad_enabled() and any(
            isinstance(t, Tensor) and t.requires_grad for t in tree_leaves((args, grads))
        )
        with torch.enable_grad():
            # an edge of its own for each: one input may depend on another
            watched = [t.view_as(t) if t.requires_grad else t.detach().requires_grad_() for t in inputs]
            found = [(o, g) for o, g in zip(outputs(*watched), incoming) if o.requires_grad]
            if not found:
                return [torch.zeros_like(t) for t in inputs]
            results, arrived = [o for o, _ in found], [g for _, g in found]
            try:
                return list(torch.autograd.grad(results, watched, arrived, create_graph=create_graph, materialize_grads=True))
            except RuntimeError:
                self._check_results(found)
                raise

    def _check_results(self, found: Sequence[tuple[Tensor, Tensor]]) -> None:
        """Raises where the composite gives other shapes than the kernel."""
        for result, grad in found:
            if result.shape != grad.shape:
                raise RuntimeError(
                    f"{self.op.composite}, composite of '{self.op.name}' ({self.op.loc}): expected a result of the shape "
                    f"{list(grad.shape)}, as the kernel gives it, got {list(result.shape)}"
                )

    def _replaced(self, args: Sequence[Any], needed: Sequence[bool], replace: Callable[[Tensor], Tensor]) -> list[Any]:
        flags = iter(needed)

        def one(value: Any, type: str) -> Any:
            if type == "Tensor[]":
                return [one(v, "Tensor") for v in value] if value is not None else None
            return replace(value) if type == "Tensor" and next(flags) else value

        return [one(value, type) for value, type in zip(args, self._types)]

    def masked(self, *args: Any, output_mask: Iterable[bool] | None = None, **kwargs: Any) -> Any:
        """As the operator with its `output_mask`: outputs that are not wanted are None."""
        result = self(*args, **kwargs)
        if output_mask is None:
            return result
        return tuple(value if wanted else None for value, wanted in zip(result, output_mask))

    def fake(self, *args: Any, **kwargs: Any) -> Any:
        """The outputs for tensors without values, which would decide on their sizes, if InferMeta takes the arguments."""
        sizes = (size for t in (*args, *kwargs.values()) if isinstance(t, Tensor) for size in t.shape)
        # those that values decide on are compared when there are values
        if all(not isinstance(size, torch.SymInt) or size.node.has_hint() for size in sizes):
            self.checked(*args, **kwargs)
        return self(*args, **kwargs)

    @cached_property
    def checked(self) -> Callable[..., None]:
        """InferMeta of an operator whose sizes values decide on, without the results."""
        found: Callable[..., None] = getattr(getattr(torch.ops, f"{self.op.namespace}_composite"), self.op.name).check
        return found


class InPlace:
    """The in-place form of an operator that has no kernel: what the composite gives is copied into the arguments."""

    def __init__(self, composite: Composite) -> None:
        self.composite = composite

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Takes the operator's arguments.

        Raises:
            TypeError, ValueError: a result has another dtype or shape than the tensor that it is written into.
        """
        op = self.composite.op
        given = dict(zip(op.names, args)) | kwargs
        result = self.composite(*args, **kwargs)
        outputs = dict(zip(op.outputs, result if isinstance(result, (tuple, list)) else (result,)))
        for name, output in op.inplace:
            _write(op, name, given[name], outputs[output])
        written = {output: given[name] for name, output in op.inplace}
        fresh = tuple(value for output, value in outputs.items() if output not in written)
        if fresh:
            return fresh if len(fresh) > 1 else fresh[0]
        return next(iter(written.values())) if len(written) == 1 and not op.name.endswith("_") else None


def _write(op: OpInfo, name: str, target: torch.Tensor, value: torch.Tensor) -> None:
    """Overwrites an argument with a result of its shape and dtype."""
    for what, got, expected, error in (
        ("data type", target.dtype, value.dtype, TypeError),
        ("shape", tuple(target.shape), tuple(value.shape), ValueError),
    ):
        if got != expected:
            raise error(f"{op.full_name}: argument '{name}' receives the result: expected the {what} {expected}, got {got}")
    target.copy_(value)


def _flat(outputs: Any) -> list[Any]:
    """The tensors of a result, those of its lists one by one."""
    if not isinstance(outputs, (list, tuple)):
        return [outputs]
    return [leaf for o in outputs for leaf in _flat(o)]


def _global_names(code: Any) -> set[str]:
    """The names that an expression takes from outside, those of nested lambdas and comprehensions included."""
    names = {i.argval for i in dis.get_instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return names.union(*(_global_names(c) for c in code.co_consts if inspect.iscode(c)))


def composite(name: str) -> Composite:
    """The composite of an operator.

    Raises:
        KeyError: the operator has none.
    """
    expect("composite", "name", name, str)
    if name not in _composites:
        raise KeyError(f"'{name}' has no composite, or is no operator; phi_torch.registry.info tells what an operator has")
    return _composites[name]


def composites() -> Mapping[str, Composite]:
    return _composites


def table() -> dict[Any, Callable[..., Any]]:
    """What `ExportedProgram.run_decompositions` turns our operators, and those of loaded extensions, into ATen's by.

    Operators without a composite (the optimizers, random numbers) are not in it, and stay as they are.
    """
    aten = torch.ops.aten
    found = {op: f for op, f in torch.export.default_decompositions().items() if getattr(op, "namespace", None) in NAMESPACES}
    found |= {aten.squeeze.dims: _squeezed, aten.alias.default: lambda x: x}  # views of nothing are unknown to torch.onnx
    for made in _composites.values():
        found[getattr(getattr(torch.ops, made.op.namespace), made.op.name).default] = made.masked
    return found


def _squeezed(x: torch.Tensor, dims: Iterable[int]) -> torch.Tensor:
    for dim in sorted((dim % max(x.dim(), 1) for dim in dims), reverse=True):
        x = torch.ops.aten.squeeze.dim(x, dim) if x.dim() and x.shape[dim] == 1 else x
    return x


def register(ops: Iterable[OpInfo], namespace: str = "phi", package: str = __name__) -> None:
    """Makes the composites of `ops` known to the dispatcher.

    `package` holds the modules that a `module:function` names; with an empty one they are names to import.
    """
    definitions = torch.library.Library(f"{namespace}_composite", "FRAGMENT")
    implementations = torch.library.Library(namespace, "IMPL")
    _libraries.extend((definitions, implementations))
    has_kernel = torch._C._dispatch_has_kernel_for_dispatch_key
    for op in ops:
        if op.composite is None:
            continue
        found = _composites[op.full_name] = Composite(op, package)
        definitions.define(op.name + op.schema)
        # without a batched argument vmap goes past the other keys, and the random numbers do not heed its `randomness`
        for key in (*KEYS, "FuncTorchVmapMode") if op.category == "random" else KEYS:
            definitions.impl(op.name, found, key)
            if op.composite_only:
                for name in op.overloads:
                    # a backward operator may have a function in C++, which checks what it is given
                    if name in (op.name, f"{op.name}_") and not has_kernel(f"{namespace}::{name}", key):
                        implementations.impl(name, InPlace(found) if name.endswith("_") else found, key)
        if op.data_dependent and not op.composite_only:  # the composite's sizes are symbols that a trace gets from ATen
            definitions.define(f"{op.name}.check({found.parameters}) -> ()")
            torch.library.register_fake(f"{namespace}::{op.name}", found.fake, lib=implementations)
        if op.backward is None and not op.composite_only:
            definitions.define(f"{op.name}.vjp(Tensor?[] grads, bool[] needed, {found.parameters}) -> Tensor[]")
            for key in VJP_KEYS:
                definitions.impl(f"{op.name}.vjp", found.vjp, key)
