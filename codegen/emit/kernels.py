"""Kernels of category ops (kernels/{cpu,gpu}/<op>_kernel.{cc,cu}) and the functional form of every kernel.

`functional/<op>.h` gives `DenseTensor out = phi::Add<T, Context>(dev_ctx, x, y)`: InferMeta, allocation, kernel.
"""

from __future__ import annotations

from ..bind import call_names
from ..dispatcher import has_kernel, is_view
from ..model import Op, OpSet
from ..types import TYPES
from .render import render

CATEGORIES = ("unary", "unary_grad")


def emit(opset: OpSet, source_hash: str) -> dict[str, str]:
    files = {}
    for op in opset.ops:
        if op.category in CATEGORIES and op.kernel is not None:
            if not handwritten(op):
                context = _kernel_context(op)
                files[f"kernels/{op.name}_kernel.h"] = render("kernel.h.j2", **context)
                files[f"kernels/cpu/{op.name}_kernel.cc"] = render("kernel.cc.j2", backend="CPU", **context)
                files[f"kernels/gpu/{op.name}_kernel.cu"] = render("kernel.cc.j2", backend="GPU", **context)
        if (has_kernel(op) or is_view(op)) and not op.is_backward and not op.is_inplace_only:
            files[f"functional/{op.name}.h"] = render("functional.h.j2", **_functional_context(op))
    return files


def handwritten(op: Op) -> bool:
    """A category op that takes a kernel of its own says so with a `kernel` key that names a parameter list."""
    return op.kernel is not None and op.kernel.param is not None


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _kernel_context(op: Op) -> dict[str, object]:
    assert op.kernel is not None
    tensors = [a.name for a in op.inputs]
    base = op.forward.name if op.forward else op.name
    return {
        "place": f"{op.source}:{op.loc.line}",
        "op": op.name,
        "kernel": op.kernel.dense.name,
        "function": f"{camel(op.name)}Kernel",
        "functor": f"{camel(op.name)}Functor",
        "header": f"kernels/impl/{base}.h",
        "params": ", ".join(f"const DenseTensor& {t}" for t in tensors)
        + "".join(f", {TYPES[a.type].kernel} {a.name}" for a in op.attrs),
        "primitive": {1: "ElementwiseUnary", 2: "ElementwiseBinary", 3: "ElementwiseTernary"}[len(tensors)],
        "args": ", ".join(tensors),
        "out": op.outputs[0].name,
        "functor_args": ", ".join(f"static_cast<Compute>({a.name})" for a in op.attrs),
    }


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
        "place": f"{op.source}:{op.loc.line}",
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
