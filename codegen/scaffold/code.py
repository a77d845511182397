"""The C++ and the Python of a new operator, from its entry."""

from __future__ import annotations

from collections.abc import Sequence

from ..emit.python.functions import python_params
from ..emit.render import render
from ..model.category import camel
from ..model.dtypes import CPP
from ..model.op import PHI, Arg, Functor, Op, OpSet, Output
from ..read.declarations import Parameter
from ..view.signature import kernel_signature
from .entry import Request, Tensor
from .infer_meta import infer_metas
from .wrap import wrapped

_TYPES = ["common/int_array.h", "common/optional.h", "common/scalar.h", "core/dense_tensor.h"]
_SHAPES = {  # the tensors of each sample, by the number of inputs
    1: ("3, 4", "2, 3, 70", "", "0, 3"),
    2: ("3, 4|3, 4", "2, 3, 70|3, 1", "|", "0, 3|3"),
}


def sources(request: Request, opset: OpSet) -> dict[str, str]:
    """Path below csrc/ -> text, for an operator of the checkout."""
    path = f"kernels/{request.family}/{request.name}.h"
    kernels = _file(PHI, _includes(request), _parts(request, opset, f"csrc/{path}"))
    if request.category != "general":
        return {path: kernels}
    infer_meta = _file(PHI, ["infermeta/unary.h"], _infer_metas(request, opset))
    return {f"infermeta/{request.name}.h": infer_meta, path: kernels}


def library_source(request: Request, opset: OpSet) -> str:
    """The header of a library of its own."""
    includes, parts = _includes(request), _parts(request, opset, f"{request.name}.h")
    if request.category == "general":
        includes, parts = ["infermeta/unary.h", *includes], [*_infer_metas(request, opset), *parts]
    return _file(request.name, sorted(includes), parts)


def _infer_metas(request: Request, opset: OpSet) -> list[str]:
    return list(infer_metas(request, opset[request.name], opset[request.grad] if request.backward else None))


def _parts(request: Request, opset: OpSet, path: str) -> list[str]:
    return [_part(request, op, path) for op in opset.ops]


def _includes(request: Request) -> list[str]:
    if request.category == "general":
        return _TYPES
    if request.category == "reduction":
        return ["kernels/funcs/reduce_axes.h", "primitive/elementwise.h", "primitive/reduce.h"]
    return ["primitive/math.h"]


def _file(namespace: str, includes: Sequence[str], parts: Sequence[str]) -> str:
    return render("new/file.h.j2", namespace=namespace, includes=includes, parts=parts)


def _part(request: Request, op: Op, path: str) -> str:
    """What the author writes: a functor for each output where they are applied to each element, else the function."""
    functors = [_functor(op, *pair, path) for pair in zip(op.functors, op.outputs)]
    return "\n\n".join(functors) or _function(request, op, path)


def _functor(op: Op, functor: Functor, output: Output, path: str) -> str:
    names = ["dout" if name == "out_grad" else name for name in functor.args]
    of = f" of {output.name.removesuffix('_grad')}" if len(op.outputs) > 1 else ""
    what = f"the gradient{of}, from {' and '.join(names)}" if op.is_backward else "what one element becomes"
    return render(
        "new/functor.j2",
        functor=functor.name,
        members=[a.name for a in op.attrs],
        params=", ".join(f"T {name}" for name in names),
        todo=f"TODO in {path}: return {what}, then delete this line",
        result=names[-1],
    ).rstrip("\n")


def _function(request: Request, op: Op, path: str) -> str:
    """It compiles, and says at run time what is to be done."""
    types = {name: CPP[t.dtype] for t in (*request.tensors, *request.outputs) if t.dtype for name in (t.name, f"{t.name}_grad")}
    body = [line for a in op.inputs for line in _read(a, types.get(a.name, "T"))]
    body += [line for o in op.outputs for line in _allocate(o, types.get(o.name, "T"), op)]
    todo = f'"TODO in {path}: compute {", ".join(o.name for o in op.outputs)}, then delete this line"'
    body.append(wrapped("  PADDLE_THROW(errors::Unimplemented(", [todo], "));"))
    return render("new/function.j2", signature=_signature(op), body=body).rstrip("\n")


def _read(a: Arg, type: str) -> list[str]:
    if a.is_list:
        return []
    data = f"{a.name} ? {a.name}->data<{type}>() : nullptr" if a.optional else f"{a.name}.data<{type}>()"
    return [f"  const {type}* {a.name}_data = {data};"]


def _allocate(o: Output, type: str, op: Op) -> list[str]:
    """A gradient that nobody asked for is null, a list of them empty."""
    if o.type == "Tensor[]":
        return [f"  for (DenseTensor* t : {o.name}) dev_ctx.template Alloc<{type}>(t);"]
    data = f"dev_ctx.template Alloc<{type}>({o.name})"
    if op.is_backward and len(op.outputs) > 1:
        data = f"{o.name} ? {data} : nullptr"
    return [f"  {type}* {o.name}_data = {data};"]


def _signature(op: Op) -> str:
    assert op.kernel is not None and op.kernel.dense is not None
    params = list(map(str, [Parameter("const Context&", "dev_ctx"), *kernel_signature(op, op.kernel.dense)]))
    start = f"void {camel(op.name)}Kernel("
    return wrapped(start, params, ")")


def samples(request: Request, op: Op, path: str) -> str:
    """tests/ops/samples/<op>.py"""
    return render("new/samples.py.j2", **_test(request, op, path))


def test_module(request: Request, op: Op, sources: Sequence[str], path: str) -> str:
    """test_<op>.py of a library of its own."""
    listed = ", ".join(f'HERE / "{source}"' for source in sources)
    return render("new/test.py.j2", name=op.name, sources=listed, **_test(request, op, path))


def _test(request: Request, op: Op, path: str) -> dict[str, object]:
    required, samples = _required(op), _samples(request.tensors)
    return {
        "imports_torch": "torch." in python_params(op.args) + required + samples[0],
        "samples": [f"{tensors}{required}" for tensors in samples],
        "params": python_params(op.args),
        "todo": f"write what {op.name} computes in torch's operators: reference() in {path}",
    }


def readme(op: Op, sources: Sequence[str]) -> str:
    return render(
        "new/README.md.j2",
        name=op.name,
        files=", ".join(f"`{source}`" for source in sources),
        listed=", ".join(f'"{source}"' for source in sources),
        named="".join(f" {source}" for source in sources),
        verb="computes" if len(sources) == 1 else "compute",
    )


def _samples(tensors: Sequence[Tensor]) -> list[str]:
    """The tensors of each sample; an optional one is missing in every second."""
    count = len(tensors)
    shapes = _SHAPES.get(count) or tuple("|".join([shape] * count) for shape in _SHAPES[1])
    return [
        ", ".join(_sample(t, shape, missing=t.optional and i % 2 == 1) for t, shape in zip(tensors, sample.split("|")))
        for i, sample in enumerate(shapes)
    ]


def _sample(t: Tensor, shape: str, missing: bool) -> str:
    if missing:
        return "None"
    text = f"T({', '.join(filter(None, (shape, f'dtype=torch.{t.dtype}' if t.dtype else '')))})"
    return f"[{text}, {text}]" if t.is_list else text


def _required(op: Op) -> str:
    """`, beta=1` for the attributes without a default."""
    return "".join(f", {a.name}={a.form.example}" for a in op.attrs if a.default is None)
