"""Generated kernels (kernels/{cpu,gpu}/<op>_kernel.{cc,cu}) and the functional form of every kernel.

An entry with `dtypes`, its own or its category's, has its kernel registered for them on every device: the function is
made of functors, or stands in csrc/kernels/<family>/<op>.h. Kernels of unary ops run on the elements that SelectedRows and
sparse tensors store as well.
A kernel that is registered by hand is declared here too, for the sources that define or call it.

`functional/<op>.h` gives `DenseTensor out = phi::Add<T, Context>(dev_ctx, x, y)`: InferMeta, allocation, kernel.
"""

from __future__ import annotations

from dataclasses import replace

from ...check.functors import attributes
from ...model.backends import backends
from ...model.category import camel, implementation, is_composite_alone, is_generated_of_elements, stem
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
        "of_elements": [_elements_context(op, branch) for branch in op.kernel.branches if is_generated_of_elements(op, branch)],
    }


def channels_last_layouts(op: Op) -> tuple[str, ...]:
    """The layouts of channels_last images that a kernel is registered for beside ALL_LAYOUT."""
    if op.kernel is None or not op.kernel.layout:
        return ()
    return ("NHWC", "NDHWC") if op.name.removesuffix("_grad").endswith("_interp") else ("NHWC",)


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


def _elements_context(op: Op, branch: KernelBranch) -> dict[str, str]:
    """The kernel `<op>_sr` or `<op>_coo`: it keeps the pattern, and computes the elements with the kernel of dense tensors."""
    assert op.kernel is not None
    params = map(str, kernel_signature(op, branch))
    x, out = op.inputs[0].name, op.outputs[0].name
    elements, tensors = branch.inputs[0].elements, {a.name for a in op.inputs}
    args = [f"{n}.{elements}()" if n in tensors else n for n in call_names(op, op.kernel.param)]
    return {
        "kernel": branch.name.rpartition("::")[2],
        "function": f"{camel(branch.name.rpartition('::')[2])}Kernel",
        "params": ", ".join(["const Context& dev_ctx", *params]),
        "copy_pattern": f"CopyPatternOf({x}, {out})",
        "args": ", ".join(["dev_ctx", *args, f"{out}->mutable_{elements}()"]),
    }


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
