"""Generated kernels (kernels/{cpu,gpu}/<op>_kernel.{cc,cu}) and the functional form of every kernel.

An entry with `dtypes`, its own or its category's, has its kernel registered for them on every device: the function is
made of functors, or stands in csrc/kernels/<family>/<op>.h. Kernels of unary ops run on the elements that SelectedRows and
sparse tensors store as well.
A kernel that is registered by hand is declared here too, for the sources that define or call it.

`functional/<op>.h` gives `DenseTensor out = phi::Add<T, Context>(dev_ctx, x, y)`: InferMeta, allocation, kernel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ...check.functors import attributes
from ...model.backends import backends
from ...model.category import camel, implementation, is_composite_alone, is_generated_of_elements, stem, step_rows
from ...model.dtypes import ANY, cpp_types
from ...model.op import PHI, Functor, KernelBranch, Op, OpSet
from ...view.bind import call_names
from ...view.dispatcher import has_kernel, is_view
from ...view.signature import kernel_signature
from ..render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    for op in opset.ops:
        if not is_composite_alone(op) and (op.dtypes or is_declared(op)):
            context = _kernel_context(op, opset)
            files[f"kernels/{stem(op)}_kernel.h"] = render("kernel.h.j2", **context)
            for backend in backends():
                kernels = backend.kernels[0]
                if backend.library and (dtypes := cpp_types(op.dtypes_on(kernels))):
                    name = f"kernels/{backend.name}/{stem(op)}_kernel{backend.suffix}"
                    files[name] = render(
                        "kernel.cc.j2", backend=kernels, context=backend.context, dtypes=", ".join(dtypes), **context
                    )
        if opset.namespace == PHI and _has_functional_form(op):
            files[f"functional/{op.name}.h"] = render("functional.h.j2", **_functional_context(op))
    return files


def _has_functional_form(op: Op) -> bool:
    has_dense = op.kernel is not None and op.kernel.dense is not None
    by_functions = has_dense and (has_kernel(op) or is_view(op)) and not is_composite_alone(op)
    return by_functions and not op.is_backward and not op.is_inplace_only


def is_declared(op: Op) -> bool:
    """Whether a kernel that is registered by hand is declared by its operator: it has the operator's name."""
    dense = op.kernel.dense if op.kernel is not None else None
    return op.namespace == PHI and dense is not None and dense.name == stem(op)


def _kernel_context(op: Op, opset: OpSet) -> dict[str, object]:
    assert op.kernel is not None and op.kernel.dense is not None
    header, parts = implementation(op, opset)
    _, of_root = implementation(opset.root(op), opset)
    return {
        "ns": opset.namespace,
        "folder": opset.folder,
        "entry": op.entry,
        "op": stem(op),
        "kernel": op.kernel.dense.name.rpartition("::")[2],
        "function": f"{camel(stem(op))}Kernel",
        "header": header,
        "loops": "kernels/funcs/binary_grad.h" if op.category == "binary_grad" else "primitive/elementwise.h",
        "statements": _statements(op, opset),
        "line": _line(next(iter((*parts, *of_root)), None), opset),
        "params": ", ".join(["const Context& dev_ctx", *_params(op)]),
        "adjust": _adjust(op),
        "layouts": channels_last_layouts(op),
        "others": [*_of_elements(op), *_of_rows(op)],
    }


def channels_last_layouts(op: Op) -> tuple[str, ...]:
    """The layouts of channels_last images that a kernel is registered for beside ALL_LAYOUT."""
    if op.kernel is None or not op.kernel.layout:
        return ()
    if op.name.removesuffix("_grad").endswith("_interp"):
        return ("NHWC", "NDHWC")
    return ("NDHWC",) if "3d" in op.name else ("NHWC",)


def _adjust(op: Op) -> list[str]:
    """The body of the registration: the argument definitions that differ from the kernel's key."""
    assert op.kernel is not None
    inputs = [n for n in call_names(op, op.kernel.param) if any(a.name == n for a in op.inputs)]
    places = {name: f"InputAt({i})" for i, name in enumerate(inputs)}
    places |= {output.name: f"OutputAt({i})" for i, output in enumerate(op.outputs)}
    lines = []
    for found in op.kernel.args_def:
        backend = f".SetBackend(phi::Backend::{found.backend})" if found.backend else ""
        dtype = "UNDEFINED" if found.dtype == ANY else (found.dtype or "").upper()
        cast = f".SetDataType(phi::DataType::{dtype})" if dtype else ""
        lines.append(f"kernel->{places[found.name]}{backend}{cast};  // {found.name}")
    return lines


def _line(part: str | None, opset: OpSet) -> str:
    """The directive by which the compiler's messages about what follows name the functor or the function template."""
    place = opset.definitions.get(part or "")
    return "" if place is None else f'#line {place.line} "{place.file}"\n'


def _statements(op: Op, opset: OpSet) -> list[str]:
    """What a kernel made of functors does, an output after the other; none of a function's."""
    attrs = ", ".join(attributes(op))
    if op.category != "binary_grad":
        return [
            f"{_line(f.name, opset)}  primitive::Map<T>(dev_ctx, {output.name}, {_make(f, attrs)}, {', '.join(f.args)});"
            for f, output in zip(op.functors, op.outputs)
        ]
    assert op.forward is not None
    incoming = f"{op.forward.outputs[0].name}_grad"
    axis = "axis" if any(a.name == "axis" for a in op.attrs) else "-1"
    statements = []
    for f, output in zip(op.functors, op.outputs):
        args = f"dev_ctx, {incoming}, {axis}, {output.name.removesuffix('_grad')}, {output.name}"
        if f.name is None:
            statements.append(f"  funcs::SumToInput({args});")
        else:
            call = f"funcs::BinaryGrad<T>({args}, {_make(f, attrs)}, {', '.join(f.args)});"
            statements.append(f"{_line(f.name, opset)}  {call}")
    return statements


def _make(functor: Functor, attrs: str) -> str:
    return f"primitive::MakeFunctor<primitive::ComputeType<T>, {functor.name}>({attrs})"


@dataclass(frozen=True)
class _Other:
    """A kernel of other kinds of tensors, which calls that of dense ones."""

    kernel: str
    function: str
    params: str
    body: tuple[str, ...]
    header: str


def _other(op: Op, branch: KernelBranch, body: Iterable[str], header: str) -> _Other:
    name = branch.name.rpartition("::")[2]
    params = ", ".join(["const Context& dev_ctx", *map(str, kernel_signature(op, branch))])
    return _Other(name, f"{camel(name)}Kernel", params, tuple(body), header)


def _of_elements(op: Op) -> Iterator[_Other]:
    """The kernels `<op>_sr` and `<op>_coo`: they keep the pattern, and compute the elements."""
    assert op.kernel is not None
    for branch in (b for b in op.kernel.branches if is_generated_of_elements(op, b)):
        x, out = op.inputs[0].name, op.outputs[0].name
        elements, tensors = branch.inputs[0].elements, {a.name for a in op.inputs}
        args = [f"{n}.{elements}()" if n in tensors else n for n in call_names(op, op.kernel.param)]
        call = ", ".join(["dev_ctx", *args, f"{out}->mutable_{elements}()"])
        body = [f"CopyPatternOf({x}, {out});", f"{camel(stem(op))}Kernel<T, Context>({call});"]
        yield _other(op, branch, body, "core/kernel_utils.h")


def _of_rows(op: Op) -> Iterator[_Other]:
    """Steps of an optimizer on SelectedRows: on the parts of the tensors that a StepOnRows takes."""
    assert op.kernel is not None
    parts = {into: f"{into}_part" for into, _ in op.inplace}
    outputs = {out: f"{parts[into]}.out()" for into, out in op.inplace}
    for branch in op.kernel.branches:
        if (rows := step_rows(op, branch)) is None:
            continue
        names = call_names(op, op.kernel.param)
        args = [f"{parts[n]}.in" if n in parts else "step.grad()" if n == rows.name else n for n in names]
        call = ", ".join(["dev_ctx", *args, *(outputs[o.name] for o in op.outputs)])
        body = [f"const funcs::StepOnRows step(dev_ctx, {rows.name}, {op.kernel.only_rows or 'false'});"]
        body += [f"auto {parts[into]} = step.Take({into}, {out});" for into, out in op.inplace]
        body += [f"{camel(stem(op))}Kernel<T, Context>({call});"]
        body += [f"step.PutBack({part}, {into});" for into, part in parts.items()]
        yield _other(op, branch, body, "kernels/funcs/step_on_rows.h")


def _params(op: Op) -> list[str]:
    """A functor's attributes travel as double: one over float64 gets all of it."""
    assert op.kernel is not None and op.kernel.dense is not None
    params = kernel_signature(op, op.kernel.dense)
    wide = (replace(p, type="double") if p.type == "float" and op.functors else p for p in params)
    return [str(p) for p in wide]


def _functional_context(op: Op) -> dict[str, object]:
    assert op.kernel is not None and op.kernel.dense is not None and op.infer_meta is not None
    params, metas, lists = [], {}, []
    for arg in op.args:
        params.append(f"{arg.form.kernel} {arg.name}")
        if arg.type == "Tensor":
            metas[arg.name] = f"MetaOf({arg.name})"
        elif arg.type == "Tensor[]":
            metas[arg.name] = f"{arg.name}_metas"
            lists.append(arg.name)
    infer = [metas.get(n, n) for n in call_names(op, op.infer_meta.param)]
    single = len(op.outputs) == 1
    outs, out_lists = [o for o in op.outputs if o.type == "Tensor"], [o for o in op.outputs if o.type == "Tensor[]"]
    kernel_outs = [f"&{o.name}_result" if o.type == "Tensor" else f"{o.name}_result.pointers()" for o in op.outputs]
    meta_outs = [f"&{o.name}_meta" if o.type == "Tensor" else f"{o.name}_result.metas()" for o in op.outputs]
    types = ["DenseTensor" if o.type == "Tensor" else "std::vector<DenseTensor>" for o in op.outputs]
    results = [f"{o.name}_result" if o.type == "Tensor" else f"{o.name}_result.take()" for o in op.outputs]
    kernel = stem(op) if op.dtypes else op.kernel.dense.name  # a generated one's function has the operator's name
    return {
        "entry": op.entry,
        "ret": types[0] if single else f"std::tuple<{', '.join(types)}>",
        "function": camel(op.name),
        "kernel": kernel,
        "kernel_function": f"{camel(kernel)}Kernel",
        "params": ", ".join(params),
        "lists": lists,
        "outs": [o.name for o in outs],
        "out_lists": [{"name": o.name, "size": o.size} for o in out_lists],
        "infer": f"{op.infer_meta.func}<int64_t>({', '.join(infer + meta_outs)})",
        "args": ", ".join([*call_names(op, op.kernel.param), *kernel_outs]),
        "result": results[0] if single else "{" + ", ".join(results) + "}",
    }
