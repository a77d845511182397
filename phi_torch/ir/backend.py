"""`torch.compile(backend="phi")`: graphs of Dynamo, forward and backward, as compiled programs."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy
import torch
from sympy.logic.boolalg import BooleanAtom
from torch import Tensor, fx, nn
from torch._guards import TracingContext
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.autograd import forward_ad
from torch.utils._python_dispatch import _disable_current_modes
from torch.utils._pytree import tree_leaves

from .. import ir
from ..decompositions.transforms import is_transformed
from .from_torch.graph import NUMBERS, Conversion
from .from_torch.nodes import GraphError, Weight
from .from_torch.strides import Memory
from .from_torch.views import views_of
from .passes import COMPILED_LEVEL

OPTIONS = ("level", "passes", "freezing", "dump")


@dataclass(frozen=True)
class Options:
    """Of `torch.compile(backend="phi", options=...)`.

    Attributes:
        level: the passes that run, up to this level.
        passes: others after them, by their names with commas between.
        freezing: without gradients, parameters and buffers that a graph does not write are constants: what follows from them is
            computed once, and later changes of them are not seen.
        dump: a file, or True for standard error, to which programs are printed.
    """

    level: int = COMPILED_LEVEL
    passes: str = ""
    freezing: bool = False
    dump: bool | str = False

    def all_passes(self) -> list[str | int]:
        return [self.level, *filter(None, self.passes.split(","))]


class Compiled:
    """A graph as a callable: its inputs as a list, which is emptied, its outputs as a list.

    The first `returned` outputs, or all, lie in memory as torch's would: who gets them may take views of them. Others are
    contiguous.
    """

    def __init__(self, conversion: Conversion, options: Options, returned: int | None = None) -> None:
        self._boxed_call = True  # wrappers take over an object's own attributes
        self._graph_module = conversion.graph_module
        self._inputs = conversion.inputs
        kinds = {i: type(_placeholder(conversion, i)) for i in self._inputs}
        self._sizes = {i: NUMBERS[kind] for i, kind in kinds.items() if kind in NUMBERS}
        self._run = ir.compile(conversion.program, passes=options.all_passes())
        self._outputs = conversion.outputs
        self._orders = dict(_orders(conversion, returned))
        self._plain = [kind for kind, _ in self._outputs] == ["value"] * len(self._outputs) and not self._sizes
        self._symbols = list(conversion.symbols.items())
        wanted = [value for kind, value in self._outputs if kind == "size"]
        views = [value for kind, value in self._outputs if kind == "view"]
        self._views = views_of(conversion.graph_module, views, list(conversion.bases)) if views else None
        self._bases = list(conversion.bases.values())
        self._evaluate = _function([symbol for symbol, _ in self._symbols], wanted)

    def __call__(self, given: list[Any]) -> list[Any]:
        if forward_ad._current_level >= 0 or is_transformed():
            return _as_it_is(self._graph_module)(given)  # tangents and samples of vmap pass through torch's operators
        if not torch._C._len_torch_dispatch_stack():
            return self._call(given)
        with _disable_current_modes():  # AOTAutograd has one in the first call, which is for what its graph calls, not for kernels
            return self._call(given)

    def _call(self, given: list[Any]) -> list[Any]:
        tensors = [given[i] for i in self._inputs]
        if self._plain:
            given.clear()
            return self._ordered(self._run(*tensors))
        for at, i in enumerate(self._inputs):
            if i in self._sizes:
                tensors[at] = torch.tensor(given[i], dtype=self._sizes[i])
        found = self._ordered(self._run(*tensors))
        sizes = iter(self._evaluate(*(given[i] if dim is None else given[i].shape[dim] for _, (i, dim) in self._symbols)))
        # views are real ones: results share memory as in eager, and where sizes change, what AOTAutograd returns has the strides
        # and the offset of views of inputs
        views = iter(self._views(*given, *(found[i] for i in self._bases)) if self._views is not None else ())
        of = {"value": found.__getitem__, "input": given.__getitem__, "constant": lambda one: one}
        of |= {"size": lambda _: next(sizes), "view": lambda _: next(views), "number": lambda i: found[i].item()}
        outputs = [of[kind](value) for kind, value in self._outputs]
        given.clear()
        return outputs

    def _ordered(self, results: Sequence[Tensor]) -> list[Tensor]:
        results = list(results)
        for i, (order, back) in self._orders.items():
            results[i] = results[i].permute(order).contiguous().permute(back)
        return results


def _orders(conversion: Conversion, returned: int | None) -> Iterator[tuple[int, tuple[list[int], list[int]]]]:
    """Number of an output of the program -> the order in memory of its dimensions, and back, where that is not their own."""
    (output,) = conversion.graph_module.graph.find_nodes(op="output")
    bases = [(("value", number), base) for base, number in conversion.bases.items()]
    for (kind, value), node in [*zip(conversion.outputs[:returned], tree_leaves(output.args[0])), *bases]:
        meta = node.meta.get("val") if isinstance(node, fx.Node) else None
        if kind == "value" and isinstance(meta, Tensor):
            order = Memory(meta.shape, meta.stride()).order
            if order is not None and order != sorted(order):
                yield value, (order, sorted(range(len(order)), key=order.__getitem__))


def _placeholder(conversion: Conversion, i: int) -> Any:
    nodes = [node for node in conversion.graph_module.graph.nodes if node.op == "placeholder"]
    return nodes[i].meta.get("val")


def _function(symbols: Sequence[Any], wanted: Sequence[Any]) -> Callable[..., Sequence[Any]]:
    """What computes sizes from the values of symbols."""
    if not wanted:
        return lambda *_: ()
    if all(size in symbols or isinstance(size, int) for size in wanted):
        at = [symbols.index(size) if size in symbols else None for size in wanted]
        return lambda *values: [size if i is None else values[i] for i, size in zip(at, wanted)]
    return lambda *values: [_number(sympy.sympify(size).subs(dict(zip(symbols, values)))) for size in wanted]


def _number(value: Any) -> int | float | bool:
    if isinstance(value, BooleanAtom):
        return bool(value)
    return int(value) if value.is_integer else float(value)


def phi(module: fx.GraphModule, inputs: Sequence[Any], *, options: dict[str, Any] | None = None, mode: Any = None) -> Any:
    """The backend that Dynamo calls by its name.

    Raises:
        ValueError: an option that is not there, or a pass.
    """
    from torch._dynamo.backends.common import aot_autograd
    from torch._functorch.partitioners import min_cut_rematerialization_partition

    for name in options or {}:
        if name not in OPTIONS:
            raise ValueError(f"torch.compile(backend=\"phi\"): no option '{name}'; there are {', '.join(OPTIONS)}")
    chosen = Options(**(options or {}))
    ir.PassManager(chosen.all_passes())  # raises; a graph that cannot be compiled runs as it is
    frozen = _of_modules(module, inputs) if chosen.freezing else {}
    compile_graph = partial(_compile, options=chosen)
    backend = aot_autograd(
        fw_compiler=partial(compile_graph, name="forward"),
        bw_compiler=partial(compile_graph, name="backward"),
        inference_compiler=partial(compile_graph, name="inference", frozen=frozen, count=len(inputs)),
        partition_fn=min_cut_rematerialization_partition,
    )
    return backend(module, inputs)


def _of_modules(module: fx.GraphModule, inputs: Sequence[Any]) -> dict[int, Tensor]:
    """The parameters and buffers among the inputs of Dynamo's graph."""
    sources = [getattr(node, "_dynamo_source", None) for node in module.graph.find_nodes(op="placeholder")]
    is_buffer = [getattr(getattr(source, "base", None), "member", None) == "_buffers" for source in sources]
    return {i: one for i, one in enumerate(inputs) if isinstance(one, nn.Parameter) or (i < len(is_buffer) and is_buffer[i])}


def _compile(
    module: fx.GraphModule,
    inputs: Sequence[Any],
    *,
    options: Options,
    name: str,
    frozen: dict[int, Tensor] | None = None,
    count: int = -1,
) -> Callable[[list[Any]], Any]:
    constants = {i: one for i, one in (frozen or {}).items() if len(inputs) == count and not _is_written(i)}
    weights = {i: Weight(f"parameter_{i}", one, True) for i, one in constants.items()}
    try:
        with unset_fake_temporarily():  # the graph's constants are real
            returned = _returned(name)
            _check_devices(module)
            if name == "forward":
                _check_kept(module)
            conversion = Conversion(module, weights, returns_inputs=False, sharing=returned, differentiated=False)
            compiled = Compiled(conversion, options, returned)
    except (GraphError, NotImplementedError, ValueError, RuntimeError) as error:
        warnings.warn(f'torch.compile(backend="phi"): the {name} graph runs as it is: {error}', stacklevel=2)
        return _as_it_is(module)
    if options.dump:
        _dump(conversion.program, name, options.dump)
    return compiled


def _check_devices(module: fx.GraphModule) -> None:
    for node in module.graph.nodes:
        for one in tree_leaves(node.meta.get("val")):
            if isinstance(one, Tensor) and one.device.type != "cpu":
                raise GraphError(f"node '{node.name}': a program runs on the CPU, and this is on {one.device}")


def _check_kept(module: fx.GraphModule) -> None:
    for node in module.graph.nodes:
        if node.target is torch.ops.aten.mkldnn_rnn_layer.default:
            raise GraphError(f"node '{node.name}' ({node.target}): its gradient reads what a program does not keep")


def _returned(graph: str) -> int | None:
    """How many of the outputs of a graph torch returns; the others are for the backward graph. None: all."""
    context = TracingContext.try_get()
    if graph != "forward" or context is None or context.fw_metadata is None:
        return None if graph == "inference" else 0
    return int(context.fw_metadata.num_forward)


def _is_written(i: int) -> bool:
    """Whether the graph that AOTAutograd traces writes this input."""
    context = TracingContext.try_get()
    metadata = context.fw_metadata if context is not None else None
    return metadata is not None and bool(metadata.input_info[i].mutates_data)


def _dump(program: ir.Program, name: str, dump: bool | str) -> None:
    if isinstance(dump, str):
        with open(dump, "a") as file:
            print(f"# {name}\n{program}", file=file)
    else:
        print(f"# {name}\n{program}", file=sys.stderr)


def _as_it_is(module: fx.GraphModule) -> Callable[[list[Any]], Any]:
    def run(given: list[Any]) -> Any:
        inputs = list(given)
        given.clear()
        return module(*inputs)

    run._boxed_call = True  # type: ignore[attr-defined]
    return run
