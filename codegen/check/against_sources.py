"""The YAML against the C++ sources: kernels, their functions, InferMeta functions."""

from __future__ import annotations

from collections.abc import Iterator, Set

from ..model.category import GENERATED_BACKENDS, implementation, is_composite_alone, is_generated
from ..model.diagnose import Diagnostics, did_you_mean
from ..model.dtypes import dtypes_of
from ..model.op import PHI, KernelBranch, Loc, Op, OpSet
from ..read.declarations import Function, Parameter
from ..read.sources import Registration, Sources
from ..types.kinds import KINDS
from ..view.signature import difference, infer_meta_signature, kernel_signature, written
from .functors import difference as difference_of_functor

CONTEXT = Parameter("const Context&", "dev_ctx")


def check_sources(opset: OpSet, known: OpSet, sources: Sources, elsewhere: Set[str], diag: Diagnostics) -> None:
    """`known` are the ops that the set may refer to, `elsewhere` the kernels that other libraries register."""
    _check_registered_once(sources, diag)
    generated = {op.kernel.dense.name for op in known.ops if op.dtypes and op.kernel and op.kernel.dense}
    for op in opset.ops:
        if op.infer_meta is not None and op.kernel is not None:
            _check_infer_meta(op, sources, diag)
        _check_kinds(op, sources, diag)
        for branch in op.kernel.branches if op.kernel is not None else ():
            if op.dtypes and op.kernel is not None and branch is op.kernel.dense:
                _check_generated(op, branch, known, sources, diag)
            elif branch.name in sources.kernels:
                _check_functions(op, branch, sources, diag)
            elif branch.name not in elsewhere | generated and not is_generated(op, branch):
                help = did_you_mean(branch.name, sources.kernels) or _how_to_register(op, branch)
                message = f"no source registers kernel '{branch.name}' of '{op.name}'"
                diag.error_at("PHI036", op.loc, _key(op, "kernel.func", diag), message, help)


def _how_to_register(op: Op, branch: KernelBranch) -> str:
    by_hand = f"write PD_REGISTER_KERNEL({branch.name}, ...)"
    lacks_dtypes = op.kernel is not None and branch is op.kernel.dense and not op.dtypes
    return f"{by_hand}, or `dtypes : floating` in the entry, for which it is generated" if lacks_dtypes else by_hand


def _check_kinds(op: Op, sources: Sources, diag: Diagnostics) -> None:
    """What an extension's own kinds of tensors are made of exists."""
    branches = op.kernel.branches if op.kernel is not None else ()
    kinds = dict.fromkeys(kind for branch in branches for kind in branch.inputs + branch.outputs)
    for kind in kinds:
        if kind not in KINDS.values() and kind.cls.rpartition("::")[2] not in sources.forms:
            message = f"no header says how torch holds the tensors of the kind '{kind.name}', which '{op.name}' takes"
            help = f"specialise phi::torch_bridge::TorchForm<{kind.cls}> (torch/tensor_kinds.h) in a header among the sources"
            diag.error_at("PHI059", op.loc, _key(op, "kernel.func", diag), message, help)


def _key(op: Op, key: str, diag: Diagnostics) -> str:
    return key if diag.has_place(op.loc, key) else "op"


def _check_registered_once(sources: Sources, diag: Diagnostics) -> None:
    """A kernel is registered once for each backend, layout and dtype."""
    for name, registrations in sources.kernels.items():
        seen: dict[tuple[str, str, str], Registration] = {}
        for registration in registrations:
            for dtype in dtypes_of(registration.dtypes):
                key = (registration.backend, registration.layout, dtype)
                first = seen.setdefault(key, registration)
                if first is registration:
                    continue
                message = f"kernel '{name}' ({', '.join(key)}) is already registered at {first.place}"
                diag.add_source(registration.file, sources.texts[registration.file])
                diag.error("PHI046", Loc(registration.file, registration.line), message, "remove one of them")
                break


def _check_infer_meta(op: Op, sources: Sources, diag: Diagnostics) -> None:
    assert op.infer_meta is not None
    func = op.infer_meta.func.rpartition("::")[2]
    key = _key(op, "infer_meta.func", diag)
    functions = sources.functions(func)
    if not functions:
        help = did_you_mean(func, sources.infer_metas) or "declare it in csrc/infermeta/"
        diag.error_at("PHI037", op.loc, key, f"no header defines {func}, infer_meta of '{op.name}'", help)
        return
    expected = infer_meta_signature(op)
    found = [difference(expected, f.params, names=False) for f in functions]
    if None not in found:
        message = f"{func}, infer_meta of '{op.name}', {found[0]}: {functions[0].place}"
        help = f"the entry asks for {written(expected)}"
        if not any("<Dim>" in p.type for p in functions[0].params):
            help += "; write `template <class Dim>`, which is int64_t in a call and c10::SymInt while torch.compile traces"
        diag.error_at("PHI045", op.loc, key, message, help)


def _check_functions(op: Op, branch: KernelBranch, sources: Sources, diag: Diagnostics) -> None:
    """The function of each registration takes what the entry says."""
    names = dict.fromkeys(r.function.partition("<")[0].rpartition("::")[2] for r in sources.kernels[branch.name])
    for name in names:
        _check_function(op, branch, name, list(_kernel_functions(sources, name)), diag)


def _kernel_functions(sources: Sources, name: str) -> Iterator[Function]:
    """The functions of a name that can be a kernel: those that take a context first, whichever that is."""
    for function in sources.functions(name):
        if function.params and "Context" in function.params[0].type:
            yield Function(name, (CONTEXT, *function.params[1:]), function.file, function.line)


def _check_function(op: Op, branch: KernelBranch, name: str, functions: list[Function], diag: Diagnostics) -> None:
    """One overload must fit; declarations and definitions of it are all looked at."""
    expected = [CONTEXT, *kernel_signature(op, branch)]
    types = [difference(expected, f.params, names=False) for f in functions]
    if None in types:
        found = [(difference(expected, f.params, names=True), f) for f, wrong in zip(functions, types) if wrong is None]
    else:
        found = [(wrong, f) for wrong, f in zip(types, functions)]
    for what, function in found:
        if what is not None:
            message = f"{name}, the kernel of '{op.name}', {what}: {function.place}"
            help = f"the entry asks for {written(expected)}"
            diag.error_at("PHI044", op.loc, _key(op, "kernel.func", diag), message, help)


def _check_generated(op: Op, branch: KernelBranch, known: OpSet, sources: Sources, diag: Diagnostics) -> None:
    """What the generated kernel is made of exists, and no source registers the same kernel."""
    registered = sources.kernels.get(branch.name, ())
    first = next(
        (
            r
            for r in registered
            if r.layout != "STRIDED" and r.backend in ("ALL_BACKEND", *(b for b in GENERATED_BACKENDS if op.dtypes_on(b)))
        ),
        None,
    )
    if first is not None:
        message = f"the kernel of '{op.name}' is generated, but {first.place} registers '{branch.name}'"
        diag.error_at("PHI043", op.loc, "op", message, "remove it, or the key `dtypes`")
        return
    if registered:  # for other backends
        _check_functions(op, branch, sources, diag)
    if is_composite_alone(op) or (op.namespace == PHI and known.root(op).is_backward):
        return  # the parts of a gradient stand in the header of its forward op, which is an error of its own where it is not there
    header, names = implementation(op, known)
    for name in dict.fromkeys(name.rpartition("::")[2] for name in names):
        _check_part(op, branch, header, name, sources, diag)
    for functor in op.functors:
        if found := difference_of_functor(op, functor, sources):
            problem, help = found
            message = f"{functor.name}, a functor of '{op.name}', {problem}"
            diag.error_at("PHI052", op.loc, _key(op, "functor", diag), message, help)


def _check_part(op: Op, branch: KernelBranch, header: str, name: str, sources: Sources, diag: Diagnostics) -> None:
    """The functor or function template `name`: in the op's header, or a functor in another one that it includes."""
    file = sources.find(header) if op.namespace == PHI else sources.header_of(name)
    defined = file is not None and sources.defines(file, name)
    if defined is False and diag.has_place(op.loc, "functor"):
        defined = sources.header_of(name) is not None
    what = "functor" if op.functors else "function template"
    by_hand = f"write the {what}, or register the kernel by hand and write `kernel.param`"
    if file is None:
        help = "write it in a header, and list the header among the sources; or write the kernel, and `kernel.param`"
        diag.error_at("PHI038", op.loc, "op", f"'{op.name}' needs {name}, which no header defines", help)
    elif defined is None:
        message = f"'{op.name}' needs {name} in {file}, and there is no such file"
        diag.error_at("PHI038", op.loc, "op", message, by_hand)
    elif not defined:
        help = did_you_mean(name, sources.structs(file)) or by_hand
        diag.error_at("PHI038", op.loc, "op", f"{file} has no {what} {name}, which '{op.name}' needs", help)
    elif not op.functors:
        _check_function(op, branch, name, [f for f in _kernel_functions(sources, name) if f.file == file], diag)
