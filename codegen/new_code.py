"""The C++ and the Python of a new operator, from its entry."""

from __future__ import annotations

from collections.abc import Sequence

from .category import camel
from .declarations import Parameter
from .emit.python import python_params
from .emit.render import render
from .model import PHI, Arg, Functor, Op, OpSet, Output
from .new_entry import Request
from .signature import kernel_signature

_WIDTH = 120
_TYPES = ["common/int_array.h", "common/optional.h", "common/scalar.h", "core/dense_tensor.h"]
_DTYPES = "float, double, phi::dtype::float16, phi::dtype::bfloat16"
_SHAPES = {  # the tensors of each sample, by the number of inputs
    1: ("3, 4", "2, 3, 70", "", "0, 3"),
    2: ("3, 4|3, 4", "2, 3, 70|3, 1", "|", "0, 3|3"),
}
_VALUES = {"bool": "True", "str": '""', "DataType": "torch.float32", "IntArray": "[0]", "Place": '"cpu"', "DataLayout": '"NCHW"'}


def kernel_files(request: Request, opset: OpSet) -> dict[str, str]:
    """Path below csrc/kernels -> text, for an operator of the checkout."""
    if request.category != "general":
        path = f"impl/{request.name}.h"
        return {path: _header(request, opset, f"csrc/kernels/{path}")}
    files = {}
    for op in opset.ops:
        declaration = f"template <typename T, typename Context>\n{_signature(op)};"
        files[f"{op.name}_kernel.h"] = _file(PHI, _TYPES, [declaration], header=True)
        for device, suffix in (("cpu", "cc"), *((("gpu", "cu"),) if request.gpu else ())):
            path = f"{device}/{op.name}_kernel.{suffix}"
            includes = [f"kernels/{op.name}_kernel.h", "", "core/kernel_registry.h"]
            registration = _registration(op, PHI, device.upper())
            files[path] = _file(PHI, includes, [_part(op, f"csrc/kernels/{path}")], registrations=[registration])
    return files


def library_source(request: Request, opset: OpSet) -> tuple[str, str]:
    """The one file of a library of its own, and its text: a header where the registrations are generated."""
    name = request.name
    if request.category != "general":
        return f"{name}.h", _header(request, opset, f"{name}.h")
    registrations = [_registration(op, name, "CPU") for op in opset.ops]
    parts = [_part(op, f"{name}.cc") for op in opset.ops]
    return f"{name}.cc", _file(name, ["core/kernel_registry.h"], parts, registrations=registrations)


def _header(request: Request, opset: OpSet, path: str) -> str:
    namespace = PHI if "/" in path else request.name
    return _file(namespace, _includes(request), [_part(op, path) for op in opset.ops], header=True)


def _includes(request: Request) -> list[str]:
    if request.category == "reduction":
        return ["kernels/funcs/reduce_axes.h", "primitive/elementwise.h", "primitive/reduce.h"]
    return ["primitive/math.h"]


def _file(
    namespace: str, includes: Sequence[str], parts: Sequence[str], header: bool = False, registrations: Sequence[str] = ()
) -> str:
    context = {"namespace": namespace, "includes": includes, "parts": parts, "header": header, "registrations": registrations}
    return render("new/file.cc.j2", **context)


def _part(op: Op, path: str) -> str:
    """What the author writes: a functor for each output where they are applied to each element, else the function."""
    functors = [_functor(op, *pair, path) for pair in zip(op.functors, op.outputs)]
    return "\n\n".join(functors) or _function(op, path)


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


def _function(op: Op, path: str) -> str:
    outputs = " and ".join(o.name for o in op.outputs)
    todo = f"TODO in {path}: compute {outputs}, then delete this line"
    if op.is_backward and len(op.outputs) > 1:
        todo += "; one that nobody asked for is null"
    allocate = [f"  T* {o.name}_data = dev_ctx.template Alloc<T>({o.name});" for o in op.outputs if o.type == "Tensor"]
    read = [f"  const T* {a.name}_data = {a.name}.data<T>();" for a in op.inputs if a.type == "Tensor" and not a.optional]
    body = [f'#error "{todo}"', *read, *allocate]
    return render("new/function.j2", signature=_signature(op), body=body).rstrip("\n")


def _signature(op: Op) -> str:
    assert op.kernel is not None
    params = list(map(str, [Parameter("const Context&", "dev_ctx"), *kernel_signature(op, op.kernel.dense)]))
    start = f"void {camel(op.name)}Kernel("
    line = f"{start}{', '.join(params)}) {{"
    return line[:-2] if len(line) <= _WIDTH else start + (",\n" + " " * len(start)).join(params) + ")"


def _registration(op: Op, namespace: str, backend: str) -> str:
    assert op.kernel is not None
    function = f"{namespace}::{camel(op.name)}Kernel"
    line = f"PD_REGISTER_KERNEL({op.kernel.dense.name}, {backend}, ALL_LAYOUT, {function}, {_DTYPES}) {{}}"
    return line if len(line) <= _WIDTH else line.replace("(", "(\n    ", 1)


def samples(op: Op, path: str) -> str:
    """tests/ops/samples/<op>.py"""
    return render("new/samples.py.j2", **_test(op, path))


def test_module(op: Op, source: str | None, path: str) -> str:
    """test_<op>.py of a library of its own."""
    return render("new/test.py.j2", name=op.name, sources=f'HERE / "{source}"' if source else "", **_test(op, path))


def _test(op: Op, path: str) -> dict[str, object]:
    required = _required(op)
    return {
        "imports_torch": "torch." in python_params(op.args) + required,
        "samples": [f"{tensors}{required}" for tensors in _tensors(op)],
        "params": python_params(op.args),
        "todo": f"write what {op.name} computes in torch's operators: reference() in {path}",
    }


def readme(op: Op, source: str | None) -> str:
    return render("new/README.md.j2", name=op.name, source=source)


def _tensors(op: Op) -> list[str]:
    count = len(op.inputs)
    shapes = _SHAPES.get(count) or tuple("|".join([shape] * count) for shape in _SHAPES[1])
    return [", ".join(f"T({shape})" for shape in sample.split("|")) for sample in shapes]


def _required(op: Op) -> str:
    """`, beta=1` for the attributes without a default."""
    return "".join(f", {a.name}={_value(a)}" for a in op.attrs if a.default is None)


def _value(attr: Arg) -> str:
    """Some value of its type."""
    element = attr.type.removesuffix("[]")
    value = _VALUES.get(element, "1.0" if element in ("float", "double", "Scalar") else "1")
    return f"[{value}]" if attr.is_list else value
