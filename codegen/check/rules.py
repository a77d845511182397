"""The rules that one entry must keep by itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Set

from ..model.category import CATEGORIES, COMPOSITE, CUSTOM_VMAP, has_tiles
from ..model.diagnose import Diagnostics, did_you_mean
from ..model.dtypes import ANY, CPP, NAMES
from ..model.op import Kernel, Op
from ..model.trait import TRAITS, is_paddle
from ..types.literals import DATA_TYPES, LAYOUTS
from ..view.bind import call_names
from .composite_types import BUILTINS

_LITERAL = re.compile(r"""-?(\d|\.\d)[\w.+-]*|true|false|nullptr|"[^"]*"|\{.*\}|\(.*\)|\w+::[\w:]+.*|\w+\(.*\)""", re.DOTALL)
_BACKENDS = ("CPU", "GPU", "GPUDNN", "ONEDNN", "XPU", "CUSTOM", "KPS", "ALL_BACKEND")
MODULE_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
# modules that a composite expression may take functions from
COMPOSITE_MODULES = frozenset({"phi", "aten", "prims", "torch", "math"})
# the names of such a module; None where they are not known
NamesOf = Callable[[str], Set[str] | None]


def check_op(op: Op, diag: Diagnostics, names_of: NamesOf) -> None:
    """All rules that need nothing but the entry."""
    _check_order(op, diag)
    _check_names(op, diag)
    _check_pairs(op, diag)
    _check_pass_through(op, diag)
    _check_stands_for(op, diag)
    _check_sizes(op, diag)
    _check_infer_meta(op, diag)
    _check_kernel(op, diag)
    _check_dtypes(op, diag)
    _check_functors(op, diag)
    _check_key_attrs(op, diag)
    _check_implementation(op, diag)
    _check_category(op, diag)
    _check_composite(op, diag, names_of)
    _check_vmap(op, diag)
    _check_torch(op, diag, names_of)
    check_ir(op, diag)


def _check_order(op: Op, diag: Diagnostics) -> None:
    attr = None
    for arg in op.args:
        if not arg.is_tensor:
            attr = attr or arg
        elif attr is not None:
            message = f"tensor '{arg.name}' of '{op.name}' stands after attribute '{attr.name}'"
            diag.error("PHI013", arg.loc, message, "write the tensors first", len(arg.type))


def _check_names(op: Op, diag: Diagnostics) -> None:
    args, inputs = [a.name for a in op.args], [a.name for a in op.inputs]
    outputs = [o.name for o in op.outputs]
    flagged = [a.name for a in op.args if a.optional] + [o.name for o in op.outputs if o.optional]
    _require(op, diag, "optional", diag.names_of(op.loc, "optional"), [*args, *outputs], flagged)
    _require(op, diag, "intermediate", diag.names_of(op.loc, "intermediate"), outputs)
    _require(op, diag, "no_need_buffer", op.no_need_buffer, inputs)
    _require(op, diag, "skip_transform", op.skip_transform, args)
    _require(op, diag, "support_trans_dtype", op.support_trans_dtype, args)
    _require(op, diag, "type_promotion", op.type_promotion, inputs)
    _require(op, diag, "strided", op.strided, inputs)
    _require(op, diag, "shape_from", op.shape_from, inputs)


def check_ir(op: Op, diag: Diagnostics) -> None:
    """What the operator is in the IR."""
    _require(op, diag, "mutable_attributes", op.mutable_attributes, [a.name for a in op.attrs])
    if op.tile == "true" and not has_tiles(op):
        help = "leave `tile` out: only an op of tensors that are always there, with one tensor as output, has tiles"
        diag.error_at("PHI034", op.loc, "tile", f"'{op.name}' cannot be computed in tiles", help)
    for name in op.traits:
        if not is_paddle(name) and name not in TRAITS:
            help = did_you_mean(name, TRAITS) or f"expected one of {', '.join(TRAITS)}"
            diag.error_at("PHI019", op.loc, f"traits.{name}", f"unknown trait '{name}' of '{op.name}'", help)


def _require(op: Op, diag: Diagnostics, key: str, names: Iterable[str], allowed: list[str], known: Iterable[str] = ()) -> None:
    for name in sorted(set(names) - set(allowed) - set(known)):
        help = did_you_mean(name, allowed) or (f"expected one of {', '.join(allowed)}" if allowed else "remove it")
        diag.error_at("PHI017", op.loc, f"{key}.{name}", f"{key} of '{op.name}' names '{name}'", help)


def _check_pairs(op: Op, diag: Diagnostics) -> None:
    inputs = {a.name: a.type for a in op.inputs}
    outputs = {o.name: o.type for o in op.outputs}
    for key, pairs in (("inplace", op.inplace), ("view", op.view)):
        for first, second in pairs:
            _require(op, diag, key, [first], list(inputs))
            _require(op, diag, key, [second], list(outputs))
            views_of_one = key == "view" and (inputs.get(first), outputs.get(second)) == ("Tensor", "Tensor[]")
            if first in inputs and second in outputs and inputs[first] != outputs[second] and not views_of_one:
                message = f"{key} of '{op.name}' pairs {inputs[first]} {first} with {outputs[second]} {second}"
                diag.error_at("PHI032", op.loc, f"{key}.{second}", message, "both must be Tensor, or both Tensor[]")
        for side, what in ((0, "input"), (1, "output")):
            names = [pair[side] for pair in pairs]
            for name in sorted({n for n in names if names.count(n) > 1}):
                message = f"{key} of '{op.name}' names {what} '{name}' twice"
                diag.error_at("PHI032", op.loc, f"{key}.{name}", message, "each pairs once")
    lists = [first for first, second in op.inplace if inputs.get(first) == outputs.get(second) == "Tensor[]"]
    if lists and not op.is_inplace_only and not op.is_backward:
        message = f"inplace of '{op.name}' overwrites a list, '{lists[0]}'"
        help = f"name the op '{op.name}_', which has that form alone, or leave `inplace` out"
        diag.error_at("PHI032", op.loc, f"inplace.{lists[0]}", message, help)
    if op.is_inplace_only and not op.inplace and op.kernel is not None and not op.is_backward:
        message = f"'{op.name}' ends in '_', but has no `inplace`"
        diag.error_at("PHI032", op.loc, "op", message, "write `inplace : (x -> out)`, or rename the op")


def _check_pass_through(op: Op, diag: Diagnostics) -> None:
    """An incoming gradient of a backward op, and the output that it is."""
    outputs = {o.name: o.type for o in op.outputs}
    incoming = {f"{o.name}_grad" for o in op.forward.outputs} if op.forward is not None else set()
    grads = {a.name: a.type for a in op.inputs if a.name in incoming}
    for grad, output in op.pass_through:
        _require(op, diag, "pass_through", [grad], list(grads))
        _require(op, diag, "pass_through", [output], list(outputs))
        if grads.get(grad, "Tensor") != "Tensor" or outputs.get(output, "Tensor") != "Tensor":
            message = f"pass_through of '{op.name}' names a list"
            diag.error_at("PHI032", op.loc, f"pass_through.{output}", message, "only a Tensor can be passed on")
    names = [output for _, output in op.pass_through]
    for name in sorted({n for n in names if names.count(n) > 1}):
        message = f"pass_through of '{op.name}' names output '{name}' twice"
        diag.error_at("PHI032", op.loc, f"pass_through.{name}", message, "each output once")


def _check_stands_for(op: Op, diag: Diagnostics) -> None:
    """A tensor of a backward op, and the input of its forward op that it lacks."""
    have = [a.name for a in op.inputs]
    lacks = [a.name for a in op.forward.args if a.is_tensor and a.name not in have] if op.forward is not None else []
    for given, input in op.stands_for:
        _require(op, diag, "stands_for", [given], have)
        _require(op, diag, "stands_for", [input], lacks)


def _check_sizes(op: Op, diag: Diagnostics) -> None:
    names = [a.name for a in op.args]
    reused = {second for _, second in op.inplace}
    for output in op.outputs:
        if output.type != "Tensor[]":
            continue
        if output.size is None and output.name not in reused:
            message = f"output '{output.name}' of '{op.name}' is a list without a size"
            diag.error("PHI041", output.loc, message, f"write Tensor[]({output.name}){{x.size()}}", len("Tensor[]"))
        for name in re.findall(r"(?<![\w.:])[A-Za-z_]\w*(?!\w|\s*\(|::)", output.size or ""):
            if name not in names:
                message = f"the size of output '{output.name}' of '{op.name}' names '{name}'"
                help = did_you_mean(name, names) or f"expected one of {', '.join(names)}"
                diag.error("PHI041", output.loc, message, help, len("Tensor[]"))


def _check_infer_meta(op: Op, diag: Diagnostics) -> None:
    if op.infer_meta is not None:
        _check_params(op, diag, "PHI028", "infer_meta", op.infer_meta.param or ())


def _check_params(op: Op, diag: Diagnostics, code: str, key: str, params: tuple[str, ...]) -> None:
    names = [a.name for a in op.args]
    for param in params:
        if param not in names and not _LITERAL.fullmatch(param):
            message = f"{key} of '{op.name}' takes '{param}', which is no argument"
            help = did_you_mean(param, names) or f"expected an argument ({', '.join(names)}) or a C++ literal"
            diag.error_at(code, op.loc, f"{key}.param.{param}", message, help)


def _check_kernel(op: Op, diag: Diagnostics) -> None:
    kernel = op.kernel
    if kernel is None:
        return
    _check_params(op, diag, "PHI029", "kernel", kernel.param or ())
    _check_key(op, diag, "data_type", kernel.data_type, "DataType", [*DATA_TYPES, "PSTRING"])
    _check_key(op, diag, "backend", kernel.backend, "Place", [*_BACKENDS, *(f"Backend::{b}" for b in _BACKENDS)])
    _check_key(op, diag, "layout", kernel.layout, "DataLayout", list(LAYOUTS))
    for arg in op.inputs:
        if arg.name in kernel.layout and (arg.optional or arg.is_list):
            message = f"kernel.layout of '{op.name}' names '{arg.name}', which is a list or may be absent"
            diag.error_at("PHI029", op.loc, "kernel.layout", message, "name a Tensor")
    if kernel.force_backend is not None and kernel.force_backend not in [a.name for a in op.args if a.type == "bool"]:
        message = f"kernel.force_backend of '{op.name}' names '{kernel.force_backend}', which is no bool attribute"
        diag.error_at("PHI029", op.loc, "kernel.force_backend", message, "name an argument of type bool, or remove the key")
    _check_args_def(op, kernel, diag)
    _check_branches(op, kernel, diag)


def _check_branches(op: Op, kernel: Kernel, diag: Diagnostics) -> None:
    """One kind for each tensor, and one kernel for each kinds of inputs."""
    if op.dtypes and kernel.dense is None:
        message = f"'{op.name}' has `dtypes`, but no kernel of dense tensors, which alone is generated"
        diag.error_at("PHI043", op.loc, "kernel.func", message, "register the kernels, and remove `dtypes`")
    seen: dict[tuple[object, ...], str] = {}
    flags = [a.name for a in op.attrs if a.type == "bool"]
    for key, name in (*((f"when.{b.name}", b.when) for b in kernel.branches), ("only_rows", kernel.only_rows)):
        if name is not None and name not in flags and (key, name) != ("only_rows", "true"):
            message = f"kernel.{key} of '{op.name}' names '{name}', which is no bool attribute"
            diag.error_at("PHI029", op.loc, f"kernel.{key}", message, did_you_mean(name, flags) or "name an argument of type bool")
    for branch in kernel.branches:
        kinds = (*branch.input_kinds(op).values(), branch.when)
        first = seen.setdefault(kinds, branch.name)
        if first != branch.name:
            message = f"kernels '{first}' and '{branch.name}' of '{op.name}' take the same kinds of tensors"
            diag.error_at("PHI042", op.loc, "kernel.func", message, "remove one of them")
        if not (branch.inputs or branch.outputs):
            continue
        if len(branch.inputs) > len(op.inputs) or len(branch.outputs) != len(op.outputs):
            message = (
                f"kernel '{branch.name}' has {len(branch.inputs)} -> {len(branch.outputs)} tensor kinds,"
                f" but '{op.name}' has {len(op.inputs)} inputs and {len(op.outputs)} outputs"
            )
            diag.error_at("PHI042", op.loc, "kernel.func", message, "name one kind for each tensor")


def _check_args_def(op: Op, kernel: Kernel, diag: Diagnostics) -> None:
    """Each definition is of a tensor that the kernel takes or makes, and of a generated kernel: others adjust their own."""
    taken = [n for n in call_names(op, kernel.param) if any(a.name == n for a in op.inputs)]
    tensors, dtypes = [*taken, *(o.name for o in op.outputs)], [*CPP, ANY]
    if kernel.args_def and not op.dtypes:
        message = f"'{op.name}' has kernel.args_def, but a kernel that is registered by hand"
        help = "adjust it in the body of PD_REGISTER_KERNEL, or add `dtypes`"
        diag.error_at("PHI029", op.loc, f"kernel.args_def.{kernel.args_def[0].name}", message, help)
        return
    for found in kernel.args_def:
        names = (("tensor", found.name, tensors), ("dtype", found.dtype, dtypes), ("backend", found.backend, _BACKENDS))
        for what, name, known in names:
            if name is not None and name not in known:
                message = f"kernel.args_def of '{op.name}' names '{name}', which is no {what}"
                help = did_you_mean(name, known) or f"expected one of {', '.join(known)}"
                diag.error_at("PHI029", op.loc, f"kernel.args_def.{found.name}", message, help)


def _check_key(op: Op, diag: Diagnostics, key: str, names: tuple[str, ...], type: str, literals: list[str]) -> None:
    args = {a.name: a.type for a in op.args}
    allowed = [n for n, t in args.items() if t in ("Tensor", "Tensor[]", type)]
    for name in names:
        literal = name.removeprefix("phi::").removeprefix(f"{type}::")
        if name in allowed or (literal in literals and (literal != name or type == "Place")):
            continue
        what = f"has type {args[name]}" if name in args else "is no argument"
        help = did_you_mean(name, allowed) or f"expected a tensor, an attribute of type {type}, or a value of it"
        message = f"kernel.{key} of '{op.name}' names '{name}', which {what}"
        diag.error_at("PHI029", op.loc, f"kernel.{key}.{name}", message, help)


def _check_dtypes(op: Op, diag: Diagnostics) -> None:
    for name in op.dtypes:
        if name not in NAMES:
            help = did_you_mean(name, NAMES) or f"expected some of {', '.join(NAMES)}"
            diag.error_at("PHI043", op.loc, f"dtypes.{name}", f"unknown dtype '{name}' of '{op.name}'", help)
    if COMPOSITE in dict(op.backend_dtypes) and op.composite is None:
        message = f"'{op.name}' runs its composite, but has none"
        diag.error_at("PHI043", op.loc, f"dtypes.{op.dtypes_on(COMPOSITE)[0]}", message, "write `composite`")
    if COMPOSITE in dict(op.backend_dtypes) and op.kernel is not None and op.kernel.param is not None:
        if tuple(op.kernel.param) != tuple(a.name for a in op.args):
            message = f"'{op.name}' runs its composite, which takes all arguments in their order"
            diag.error_at("PHI043", op.loc, "kernel", message, "remove kernel.param, or write a kernel")
    if op.dtypes and op.kernel is not None and not op.outputs:
        message = f"'{op.name}' has dtypes, but no output"
        diag.error_at("PHI043", op.loc, "output", message, "write `output : Tensor(out)`, or remove the key")
    if op.dtypes and op.kernel is None:
        message = f"'{op.name}' has dtypes, but its kernel is that of `invoke`"
        diag.error_at("PHI043", op.loc, f"dtypes.{op.dtypes[0]}", message, "remove the key")


def _check_functors(op: Op, diag: Diagnostics) -> None:
    """Of the key alone: the default of a category fits."""
    if not diag.has_place(op.loc, "functor"):
        return

    def error(message: str, help: str) -> None:
        diag.error_at("PHI050", op.loc, "functor", message, help)

    elementwise = [name for name, rule in CATEGORIES.items() if rule.own_kernel]
    if op.category not in elementwise:
        error(f"'{op.name}' of category {op.category} has a functor", f"only {', '.join(elementwise)} ops have")
        return
    if len(op.functors) != len(op.outputs):
        error(f"'{op.name}' has {len(op.functors)} functors for {len(op.outputs)} outputs", "write one for each output, in order")
    inputs = [a.name for a in op.inputs if a.name not in op.no_need_buffer]
    for name in dict.fromkeys(name for functor in op.functors for name in functor.args if name not in inputs):
        what = "stands under no_need_buffer" if name in op.no_need_buffer else "is no tensor of it"
        help = did_you_mean(name, inputs) or f"expected some of {', '.join(inputs)}"
        error(f"functor of '{op.name}' takes '{name}', which {what}", help)
    incoming = f"{op.forward.outputs[0].name}_grad" if op.forward is not None and op.forward.outputs else None
    if op.category == "binary_grad" and any(incoming not in f.args for f in op.functors):
        error(f"a functor of '{op.name}' does not take '{incoming}'", "a gradient is a multiple of the incoming one")
    if any(f.name is None for f in op.functors) and op.category != "binary_grad":
        error(f"'{op.name}' has a tensor in the place of a functor", "only the gradients of a binary op may be a tensor's sum")


def _check_key_attrs(op: Op, diag: Diagnostics) -> None:
    """PHI must know the dtype and the device of a kernel before it runs."""
    kernel = op.kernel
    if kernel is None:
        return
    strings = any(kind == "StringTensor" for _, kind in op.paddle_only)
    for type, key, names in (("DataType", "data_type", kernel.data_type), ("Place", "backend", kernel.backend)):
        attrs = [a for a in op.attrs if a.type == type]
        if any(a.default is None and not a.optional for a in attrs) and not names:
            message = f"'{op.name}' has {type} '{attrs[0].name}', but kernel.{key} is not given"
            diag.error("PHI033", attrs[0].loc, message, f"write `{key} : {attrs[0].name}`", len(type))
        elif not op.inputs and op.outputs and not names and not (strings and type == "DataType"):
            what = "does not name it" if attrs else f"there is no {type} argument"
            help = f"write `{key} : {attrs[0].name}`" if attrs else f"add a {type} argument"
            message = f"'{op.name}' has no tensor inputs, so kernel.{key} must say its {key}; {what}"
            diag.error_at("PHI033", op.loc, "op", message, help)


def _check_implementation(op: Op, diag: Diagnostics) -> None:
    if op.kernel is None and op.invoke is None and op.composite is None:
        help = "add `kernel`, `invoke` or `composite`"
        if any(k == "composite" for k, _ in op.paddle_only):
            help += "; `composite : name(args)` is a C++ rule of Paddle: write an expression instead"
        diag.error_at("PHI030", op.loc, "op", f"'{op.name}' has no implementation", help)
    if op.kernel is not None and op.infer_meta is None and op.outputs:
        diag.error_at("PHI031", op.loc, "op", f"'{op.name}' has a kernel, but no infer_meta", "add `infer_meta`")


def _check_category(op: Op, diag: Diagnostics) -> None:
    rule = CATEGORIES[op.category]
    problem = None
    count, outputs = len(op.inputs), len(op.outputs)
    if rule.backward and not op.is_backward:
        problem = "is for a backward_op"
    elif not rule.backward and rule.exact_arity and op.is_backward:
        problem = f"is for a forward op; a gradient is {op.category}_grad"
    elif rule.exact_arity and count != rule.arity:
        problem = f"has {rule.arity} tensor input{'s' * (rule.arity > 1)}, got {count}"
    elif count < rule.arity:
        problem = f"has at least {rule.arity} tensor inputs, got {count}"
    elif rule.arity and any(a.type == "Tensor[]" for a in op.inputs):
        problem = "takes no Tensor[]"
    elif rule.max_outputs is not None and not 1 <= outputs <= rule.max_outputs:
        problem = f"has {'1' if rule.max_outputs == 1 else '1 or 2'} output, got {outputs}"
    elif rule.needs is not None and not getattr(op, rule.needs):
        problem = f"needs `{rule.needs} : (input -> output)`"
    if problem is not None:
        help = "correct the entry, or use `category : general`"
        diag.error_at("PHI034", op.loc, "category", f"'{op.name}': category {op.category} {problem}", help)


def _check_vmap(op: Op, diag: Diagnostics) -> None:
    if op.vmap not in CUSTOM_VMAP and not MODULE_FUNCTION.fullmatch(op.vmap):
        help = did_you_mean(op.vmap, CUSTOM_VMAP) or f"expected one of {', '.join(CUSTOM_VMAP)}, or module:function"
        diag.error_at("PHI019", op.loc, "vmap", f"unknown vmap '{op.vmap}' of '{op.name}'", help)
    elif op.vmap == "composite" and op.composite is None:
        message = f"vmap of '{op.name}' is composite, but there is no `composite`"
        diag.error_at("PHI019", op.loc, "vmap", message, "add `composite`, or write `vmap : loop`")


def _check_torch(op: Op, diag: Diagnostics, names_of: NamesOf) -> None:
    known = names_of("torch")
    first = (op.torch or "").partition(".")[0]
    if op.torch is not None and known is not None and first not in known:
        help = did_you_mean(first, known) or "write a function such as add or nn.functional.relu"
        diag.error_at("PHI049", op.loc, "torch", f"torch has no '{op.torch}', named by '{op.name}'", help)


def _check_composite(op: Op, diag: Diagnostics, names_of: NamesOf) -> None:
    if op.composite is None or MODULE_FUNCTION.fullmatch(op.composite):
        return

    def error(message: str, help: str) -> None:
        diag.error_at("PHI035", op.loc, "composite", f"composite of '{op.name}' {message}", help)

    try:
        tree = ast.parse(op.composite, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        reason = problem.msg if isinstance(problem, SyntaxError) else str(problem)
        help = "write an expression such as x * sigmoid(x), or name a function of phi_torch/decompositions as module:function"
        error(f"is neither a Python expression nor module:function: {reason}", help)
        return
    results = len(tree.elts) if isinstance(tree, ast.Tuple) else 1
    if results != len(op.outputs) and not (results == 1 and isinstance(tree, ast.Call)):
        help = f"write one expression for each output: {', '.join(o.name for o in op.outputs) or 'none'}"
        error(f"gives {results} value{'s' * (results > 1)} for {len(op.outputs)} outputs", help)
    _check_expression(tree, op, names_of, error)


def is_expression(composite: str) -> bool:
    """Whether a composite is Python, rather than `module:function` or malformed."""
    try:
        ast.parse(composite, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return not MODULE_FUNCTION.fullmatch(composite)


def _check_expression(tree: ast.expr, op: Op, names_of: NamesOf, error: Callable[[str, str], None]) -> None:
    args = {a.name for a in op.args}
    nodes = list(ast.walk(tree))
    called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    attributes = {id(n.value): n.attr for n in nodes if isinstance(n, ast.Attribute)}
    bound = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    bound |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    for node in nodes:
        if not isinstance(node, ast.Name) or node.id in args | bound:
            continue
        if id(node) in attributes and node.id in COMPOSITE_MODULES | {op.namespace}:
            known = names_of(node.id)
            if known is not None and attributes[id(node)] not in known:
                name = f"{node.id}.{attributes[id(node)]}"
                error(f"names '{name}', which does not exist", _suggestion(attributes[id(node)], known))
        elif id(node) in called:
            known = names_of("torch")
            if known is not None and node.id not in known and node.id not in BUILTINS:
                error(f"calls '{node.id}', which is no known function", _suggestion(node.id, known))
        else:
            modules = f"; modules: {', '.join(sorted(COMPOSITE_MODULES | {op.namespace}))}" if id(node) in attributes else ""
            help = did_you_mean(node.id, args) or f"arguments: {', '.join(sorted(args))}{modules}"
            error(f"names '{node.id}', which is no argument", help)


def _suggestion(name: str, known: Set[str]) -> str:
    close = did_you_mean(name, (other for other in known if not other.startswith("_")))
    return close or "call an operator of torch, or name its module: phi.relu(x), aten.relu(x)"
