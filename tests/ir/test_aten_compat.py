"""Each row of yaml/aten_compat.yaml: its arguments are the overload's, and on torch's own samples it gives what ATen gives."""

from __future__ import annotations

import operator
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import torch
from torch import fx
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._pytree import tree_flatten, tree_unflatten

from codegen.model.aten_compat import FUNCTIONS
from phi_torch import ir
from phi_torch._aten_table import ROWS
from phi_torch.ir.from_torch import rules as from_torch_rules
from phi_torch.ir.from_torch.graph import Conversion

from .aten_samples import calls

SAMPLES = int(os.environ.get("PHI_ATEN_SAMPLES", "1"))  # of each OpInfo and dtype; also how often a row is tried for each dtype
OVERLOADS = {row[0] for row in ROWS}
DTYPES = [torch.float32, torch.int64, torch.bool]
if SAMPLES > 1:
    DTYPES += [torch.float64, torch.bfloat16]
TOLERANCE = {torch.float32: (1e-4, 1e-5), torch.float64: (1e-7, 1e-9), torch.bfloat16: (3e-2, 2e-2)}


def test_arguments_are_those_of_the_overload():
    for overload, arguments, _, to, place in ROWS:
        packet, _, name = overload.partition(".")
        schema = getattr(getattr(torch.ops.aten, packet), name)._schema
        assert set(arguments) <= {argument.name for argument in schema.arguments}, f"{place}: {schema}"
        assert len(to) == len(schema.returns), f"{place}: {schema}"


def test_expressions_have_the_functions_that_are_checked():
    assert set(from_torch_rules.FUNCTIONS) == set(FUNCTIONS)


def graph_of(overload: Any, args: Sequence[Any], kwargs: Mapping[str, Any], results: int) -> tuple[fx.GraphModule, list[Any]]:
    """A graph of one call that returns its first results, and the tensors that it takes."""
    flat, spec = tree_flatten((args, kwargs))
    inputs = [one for one in flat if isinstance(one, torch.Tensor)]
    graph, mode = fx.Graph(), FakeTensorMode()
    nodes = [graph.placeholder(f"x{number}") for number in range(len(inputs))]
    for node, tensor in zip(nodes, inputs):
        node.meta["val"] = mode.from_tensor(tensor)

    def with_inputs(each: Sequence[Any]) -> Any:
        rest = iter(each)
        return tree_unflatten([next(rest) if isinstance(one, torch.Tensor) else one for one in flat], spec)

    given, named = with_inputs(nodes)
    call = graph.call_function(overload, given, named)
    with mode:
        faked, faked_named = with_inputs([node.meta["val"] for node in nodes])
        call.meta["val"] = overload(*faked, **faked_named)
    returned = [call]
    if not isinstance(call.meta["val"], torch.Tensor):
        returned = [graph.call_function(operator.getitem, (call, i)) for i in range(min(results, len(call.meta["val"])))]
        for node, value in zip(returned, call.meta["val"]):
            node.meta["val"] = value
    graph.output(tuple(one for one in returned if one.meta["val"] is not None))
    return fx.GraphModule(torch.nn.Module(), graph), inputs


def differences(overload: Any, args: Sequence[Any], kwargs: Mapping[str, Any], results: int) -> str | None:
    """What a call gives that ATen does not; None if nothing."""
    module, inputs = graph_of(overload, args, kwargs, results)
    program = Conversion(module, differentiated=False).program
    if any(op.name == "torch.call" for op in program.walk()):
        return None
    expected = overload(*args, **kwargs)
    expected = [expected] if isinstance(expected, torch.Tensor) else [one for one in expected[:results] if one is not None]
    try:
        found = ir.compile(program, passes=[])(*inputs)
        for ours, theirs in zip(found, expected, strict=True):
            rtol, atol = TOLERANCE.get(theirs.dtype, (0, 0))
            torch.testing.assert_close(ours, theirs.contiguous(), rtol=rtol, atol=atol, equal_nan=True)
    except (AssertionError, ValueError, RuntimeError, NotImplementedError) as error:
        shapes = [tuple(one.shape) if isinstance(one, torch.Tensor) else one for one in tree_flatten((args, kwargs))[0]]
        return f"{overload} of {shapes}, {[one.dtype for one in inputs]}: {error}"
    return None


def test_rows_give_what_aten_gives(monkeypatch: pytest.MonkeyPatch):
    """Whatever row fits a call is right, and each of them fits one."""
    places: list[str] = []
    results = from_torch_rules.Row.results

    def counted(row: Any, *arguments: Any) -> Any:
        found = results(row, *arguments)
        places.append(row.place)
        return found

    monkeypatch.setattr(from_torch_rules.Row, "results", counted)
    tried: Counter[Any] = Counter()
    used: set[str] = set()
    wrong = []
    torch.manual_seed(0)
    for dtype in DTYPES:
        for overload, args, kwargs in calls(dtype, SAMPLES):
            if overload._schema.name.partition("::")[0] != "aten" or str(overload).partition(".")[2] not in OVERLOADS:
                continue
            for count in {1, len(overload._schema.returns)}:
                places.clear()
                ties = dtype == torch.bfloat16 and "topk" in str(overload)  # of which any index is right
                if ties or tried[overload, dtype, count] >= 6 * SAMPLES:
                    continue
                tried[overload, dtype, count] += 1
                difference = differences(overload, args, kwargs, count)
                used.update(places)
                if difference is not None:
                    wrong.append(f"{places}: {difference}")
    assert not wrong, f"{len(wrong)} of {sum(tried.values())} calls\n" + "\n".join(wrong[:40])
    unused = sorted({row[4] for row in ROWS} - used)
    assert not unused, f"no sample comes to {unused}"
