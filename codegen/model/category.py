"""What an op's category says where its entry is silent: the one table of defaults. Explicit keys win."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from .backends import backends
from .dtypes import GROUPS
from .op import Arg, Forward, Functor, Kernel, KernelBranch, Op, OpSet, Output

CUSTOM_VMAP = ("elementwise", "composite", "loop")
AUTOCAST = ("lower", "fp32", "promote", "none")
TILE = ("true", "false")
JVP = ("auto_linear", "auto_elementwise")
GENERATED_BACKENDS = tuple(b.kernels[0] for b in backends() if b.library)  # those that an entry with `dtypes` has kernels for
COMPOSITE = "COMPOSITE"  # among `dtypes`: of these the composite is the kernel, on every backend
LAYOUT_TAGS = (
    "needs_exact_strides",
    "needs_contiguous_strides",
    "needs_fixed_stride_order",
    "flexible_layout",
)


@dataclass(frozen=True)
class Category:
    """The defaults of one category.

    `infer_meta` is called with the first `arity` tensor inputs. `functor` says that a generated kernel applies a functor
    to each element without the key, unless the entry names the kernel's parameters; `dtypes` that it is generated without
    the key.
    """

    infer_meta: str | None = None
    arity: int = 0  # tensor inputs that InferMeta needs
    exact_arity: bool = False
    max_outputs: int | None = None
    own_kernel: bool = False  # the kernel has the op's name, and may be made of functors
    elementwise_vmap: bool = False
    autocast: bool = False  # "promote" for several tensor inputs
    strided: bool = False
    type_promotion: bool = False
    functor: bool = False
    dtypes: tuple[str, ...] = ()
    backward: bool = False
    key_from_attrs: bool = False  # dtype and device come from the DataType and Place attributes
    needs: str | None = None  # "view" or "inplace"


CATEGORIES: dict[str, Category] = {
    "unary": Category(
        "UnchangedInferMeta",
        arity=1,
        exact_arity=True,
        max_outputs=1,
        own_kernel=True,
        elementwise_vmap=True,
        autocast=True,
        strided=True,
        functor=True,
        dtypes=("floating",),
    ),
    "unary_grad": Category(
        "GeneralUnaryGradInferMeta",
        arity=1,
        max_outputs=1,
        own_kernel=True,
        elementwise_vmap=True,
        strided=True,
        functor=True,
        dtypes=("floating",),
        backward=True,
    ),
    "binary": Category(
        "ElementwiseInferMeta",
        arity=2,
        exact_arity=True,
        max_outputs=1,
        own_kernel=True,
        elementwise_vmap=True,
        autocast=True,
        strided=True,
        type_promotion=True,
        functor=True,
    ),
    "binary_grad": Category("GeneralBinaryGradInferMeta", arity=2, max_outputs=2, own_kernel=True, strided=True, backward=True),
    "reduction": Category(autocast=True),
    "creation": Category(key_from_attrs=True),
    "random": Category(key_from_attrs=True),
    "view": Category(needs="view"),
    "optimizer": Category(needs="inplace"),
    "general": Category(autocast=True),
}


def tensors(args: Sequence[Arg]) -> tuple[Arg, ...]:
    return tuple(a for a in args if a.is_tensor)


def default_vmap(category: str, has_composite: bool) -> str:
    if CATEGORIES[category].elementwise_vmap:
        return "elementwise"
    return "composite" if has_composite else "loop"


def is_elementwise(op: Op) -> bool:
    """Whether each element of the results comes from the elements of the inputs at its place alone."""
    return CATEGORIES[op.category].elementwise_vmap or op.vmap == "elementwise"


def has_tiles(op: Op) -> bool:
    """Whether the kernel may compute a part of the result from the parts at its place of the inputs."""
    kinds = {*(a.type for a in op.inputs), *(o.type for o in op.outputs)}
    fits = len(op.outputs) == 1 and kinds == {"Tensor"} and not any(a.optional for a in op.inputs)
    return fits and (op.tile == "true" or (op.tile is None and is_elementwise(op) and op.category != "random"))


def default_autocast(category: str, args: Sequence[Arg], is_backward: bool) -> str:
    """Gradients keep the dtypes that their forward op ran in."""
    several = len(tensors(args)) > 1 or any(a.type == "Tensor[]" for a in args)
    return "promote" if CATEGORIES[category].autocast and several and not is_backward else "none"


def default_infer_meta(category: str, args: Sequence[Arg]) -> tuple[str, tuple[str, ...]] | None:
    """The InferMeta function and its parameters."""
    rule = CATEGORIES[category]
    if rule.infer_meta is None:
        return None
    names = tuple(a.name for a in tensors(args))
    if category == "binary_grad" and any(a.name == "axis" for a in args):  # which the forward op does not have
        return "BroadcastGradInferMeta", (*names[:2], names[-1], "axis")
    return rule.infer_meta, names[: rule.arity]


def default_grad_infer_meta(args: Sequence[Arg], outputs: Sequence[Output]) -> tuple[str, tuple[str, ...]] | None:
    """Of a gradient with a kernel: each result is like the tensor that it is the gradient of, and contiguous."""
    functions = {1: "ContiguousGradInferMeta", 2: "ContiguousBinaryGradInferMeta"}
    names = tuple(o.name.removesuffix("_grad") for o in outputs)
    known = {a.name for a in args if a.type == "Tensor" and not a.optional}
    return (functions[len(names)], names) if len(names) in functions and known.issuperset(names) else None


def default_type_promotion(category: str, args: Sequence[Arg]) -> tuple[str, ...]:
    return tuple(a.name for a in tensors(args)[:2]) if CATEGORIES[category].type_promotion else ()


def default_strided(category: str, args: Sequence[Arg]) -> frozenset[str]:
    return frozenset(a.name for a in tensors(args)) if CATEGORIES[category].strided else frozenset()


def own_branch(name: str) -> tuple[KernelBranch, ...]:
    """The one kernel of an op whose category or whose `dtypes` say that it has one."""
    return (KernelBranch(name.rstrip("_")),)


def default_data_type(category: str, args: Sequence[Arg], forward: Forward | None) -> tuple[str, ...]:
    """Of a kernel that the entry says nothing of but its `dtypes`: the incoming gradient's, or that of the first tensor."""
    names = [a.name for a in tensors(args)]
    incoming = f"{forward.outputs[0].name}_grad" if forward is not None and forward.outputs else ""
    if CATEGORIES[category].own_kernel or not names:
        return default_key(category, args, "DataType")
    return (incoming if incoming in names else names[0],)


def default_dtypes(category: str, kernel: Kernel | None) -> tuple[str, ...]:
    """A kernel with parameters of its own is not generated unless the entry says so."""
    return CATEGORIES[category].dtypes if kernel is not None and kernel.param is None else ()


def default_functors(category: str, op: str, kernel: Kernel | None, args: Sequence[Arg], unread: Set[str]) -> tuple[Functor, ...]:
    """`<Op>Functor` of all tensors but those of which only the shape is read."""
    if not CATEGORIES[category].functor or kernel is None or kernel.param is not None:
        return ()
    return (Functor(f"{camel(op)}Functor", tuple(a.name for a in tensors(args) if a.name not in unread)),)


def is_composite_alone(op: Op) -> bool:
    """Whether the composite is the only kernel."""
    return [backend for backend, _ in op.backend_dtypes] == [COMPOSITE]


def is_generated_of_elements(op: Op, branch: KernelBranch) -> bool:
    """Whether a branch applies the generated kernel of a unary op, or of its gradient, to the elements that tensors store."""
    kinds = {*branch.inputs, *branch.outputs}
    of_all = (len(branch.inputs), len(branch.outputs)) == (len(op.inputs), len(op.outputs)) and len(kinds) == 1
    return bool(op.dtypes) and op.category in ("unary", "unary_grad") and of_all and kinds.pop().elements is not None


def step_rows(op: Op, branch: KernelBranch) -> Arg | None:
    """The SelectedRows beside dense tensors of a generated step of an optimizer, where a branch is one."""
    rows = [a for a, kind in zip(op.inputs, branch.inputs) if not kind.is_dense]
    others = all(kind.is_dense for kind in branch.outputs) and op.category == "optimizer" and bool(op.dtypes)
    return rows[0] if others and len(rows) == 1 and branch.input_kinds(op)[rows[0].name].name == "selected_rows" else None


def is_generated(op: Op, branch: KernelBranch) -> bool:
    """Whether a branch is a kernel that no source registers."""
    is_dense = bool(op.dtypes) and op.kernel is not None and branch is op.kernel.dense
    return is_dense or is_generated_of_elements(op, branch) or step_rows(op, branch) is not None


def default_key(category: str, args: Sequence[Arg], type: str) -> tuple[str, ...]:
    """The `data_type` or `backend` of an op that creates: its DataType or Place attribute, then its first tensor."""
    names = [a.name for a in args if a.type == type]
    if len(names) != 1 or (tensors(args) and not CATEGORIES[category].key_from_attrs):
        return ()
    return (names[0], *(a.name for a in tensors(args)[:1]))


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def stem(op: Op) -> str:
    """What the files and the function of an op's kernel are named by: an op that is in-place only has no name without `_`."""
    return op.name.rstrip("_")


def implementation(op: Op, opset: OpSet) -> tuple[str, tuple[str, ...]]:
    """What a generated kernel is made of: the file below csrc/, and the functors or the function template.

    A gradient's stand in the file of the op that it differentiates.
    """
    names = tuple(f.name for f in op.functors if f.name) if op.functors else (f"{camel(stem(op))}Kernel",)
    root = opset.root(op)
    return f"{opset.folder}headers.h" if opset.folder else f"kernels/{root.family}/{stem(root)}.h", names


def takes_integers(op: Op) -> bool:
    """Whether no tensor of the operator can require a gradient."""
    dtypes = {dtype for name in op.dtypes for dtype in GROUPS.get(name, (name,))}
    return op.category in ("unary", "binary") and bool(dtypes) and dtypes <= {"bool", *GROUPS["integer"]}
