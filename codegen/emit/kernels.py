"""Generated kernels (kernels/{cpu,gpu}/<op>_kernel.{cc,cu}) and the functional form of every kernel.

An entry with `dtypes`, its own or its category's, has its kernel registered for them on every device: the function is
made of functors, or stands in csrc/kernels/impl/. A kernel of one tensor runs on the rows of SelectedRows as well.

`functional/<op>.h` gives `DenseTensor out = phi::Add<T, Context>(dev_ctx, x, y)`: InferMeta, allocation, kernel.
"""

from __future__ import annotations

from dataclasses import replace

from ..bind import call_names
from ..category import camel, implementation, is_generated_of_rows
from ..dispatcher import has_kernel, is_view
from ..dtypes import cpp_types
from ..model import PHI, Functor, KernelBranch, Op, OpSet
from ..signature import kernel_signature
from ..types import TYPES
from .render import render


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    for op in opset.ops:
        if op.dtypes:
            context = _kernel_context(op, opset)
            files[f"kernels/{op.name}_kernel.h"] = render("kernel.h.j2", **context)
            files[f"kernels/cpu/{op.name}_kernel.cc"] = render("kernel.cc.j2", backend="CPU", **context)
            files[f"kernels/gpu/{op.name}_kernel.cu"] = render("kernel.cc.j2", backend="GPU", **context)
        if opset.namespace == PHI and (has_kernel(op) or is_view(op)) and not op.is_backward and not op.is_inplace_only:
            files[f"functional/{op.name}.h"] = render("functional.h.j2", **_functional_context(op))
    return files


def _kernel_context(op: Op, opset: OpSet) -> dict[str, object]:
    assert op.kernel is not None
    return {
        "ns": opset.namespace,
        "folder": opset.folder,
        "entry": op.entry,
        "op": op.name,
        "kernel": op.kernel.dense.name.rpartition("::")[2],
        "function": f"{camel(op.name)}Kernel",
        "header": implementation(op, opset)[0],
        "loops": "kernels/funcs/binary_grad.h" if op.category == "binary_grad" else "primitive/elementwise.h",
        "statements": _statements(op),
        "params": ", ".join(["const Context& dev_ctx", *_params(op)]),
        "dtypes": ", ".join(cpp_types(op.dtypes)),
        "of_rows": [_rows_context(op, branch) for branch in op.kernel.branches if is_generated_of_rows(op, branch)],
    }


def _statements(op: Op) -> list[str]:
    """What a kernel made of functors does, an output after the other; none of a function's."""
    broadcasts = op.category == "binary_grad"  # and `axis` says how
    attrs = ", ".join(a.name for a in op.attrs if not (broadcasts and a.name == "axis"))
    if not broadcasts:
        return [
            f"primitive::Map<T>(dev_ctx, {output.name}, {_make(f, attrs)}, {', '.join(f.args)});"
            for f, output in zip(op.functors, op.outputs)
        ]
    assert op.forward is not None
    incoming = f"{op.forward.outputs[0].name}_grad"
    axis = "axis" if any(a.name == "axis" for a in op.attrs) else "-1"
    statements = []
    for f, output in zip(op.functors, op.outputs):
        args = f"dev_ctx, {incoming}, {axis}, {output.name.removesuffix('_grad')}, {output.name}"
        if f.name is None:
            statements.append(f"funcs::SumToInput({args});")
        else:
            statements.append(f"funcs::BinaryGrad<T>({args}, {_make(f, attrs)}, {', '.join(f.args)});")
    return statements


def _make(functor: Functor, attrs: str) -> str:
    return f"primitive::MakeFunctor<primitive::ComputeType<T>, {functor.name}>({attrs})"


def _rows_context(op: Op, branch: KernelBranch) -> dict[str, str]:
    """The kernel `<op>_sr`: it keeps the rows, and computes their values with the kernel of dense tensors."""
    assert op.kernel is not None
    params = [str(p).replace("DenseTensor", "SelectedRows") for p in kernel_signature(op, op.kernel.dense)]
    x, out = op.inputs[0].name, op.outputs[0].name
    args = [f"{x}.value()" if n == x else n for n in call_names(op, op.kernel.param)]
    return {
        "kernel": branch.name.rpartition("::")[2],
        "function": f"{camel(branch.name.rpartition('::')[2])}Kernel",
        "params": ", ".join(["const Context& dev_ctx", *params]),
        "copy_rows": f"CopyRowsOf({x}, {out})",
        "args": ", ".join(["dev_ctx", *args, f"{out}->mutable_value()"]),
    }


def _params(op: Op) -> list[str]:
    """A functor's attributes travel as double: one over float64 gets all of it."""
    assert op.kernel is not None
    params = kernel_signature(op, op.kernel.dense)
    wide = (replace(p, type="double") if p.type == "float" and op.functors else p for p in params)
    return [str(p) for p in wide]


def _functional_context(op: Op) -> dict[str, object]:
    assert op.kernel is not None and op.infer_meta is not None
    params, metas, lists = [], {}, []
    for arg in op.args:
        t = TYPES[arg.type]
        params.append(f"{t.opt_kernel if arg.optional else t.kernel} {arg.name}")
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
    return {
        "entry": op.entry,
        "op": op.name,
        "ret": types[0] if single else f"std::tuple<{', '.join(types)}>",
        "function": camel(op.name),
        "params": ", ".join(params),
        "lists": lists,
        "outs": [o.name for o in outs],
        "out_lists": [{"name": o.name, "size": o.size} for o in out_lists],
        "infer": f"{op.infer_meta.func}<int64_t>({', '.join(infer + meta_outs)})",
        "args": ", ".join([*call_names(op, op.kernel.param), *kernel_outs]),
        "result": results[0] if single else "{" + ", ".join(results) + "}",
    }
