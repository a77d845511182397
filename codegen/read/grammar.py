"""PHI's small languages inside YAML values: argument lists, outputs, kernel functions, pairs, signatures.

Every function takes the span of a value, reports what is malformed, and returns what it could read.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field

from ..model.diagnose import Diagnostics, did_you_mean
from ..model.op import NONE, Arg, Functor, KernelBranch, Output
from ..types.kinds import DENSE, KINDS, TensorKind
from ..types.literals import LiteralError
from ..types.table import TYPES
from .nodes import Node, Span

OP_NAME = r"[a-z][a-z0-9_]*"
_CPP_KEYWORDS = frozenset(
    "alignas alignof asm auto bool break case catch char class concept const constexpr const_cast continue decltype"
    " default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int"
    " long mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast requires"
    " return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true"
    " try typedef typeid typename union unsigned using virtual void volatile wchar_t while".split()
)
_NAMESPACES = frozenset(("at", "c10", "paddle", "phi", "std", "torch"))  # that generated code takes names from
_ARG = re.compile(
    r"(?P<type>(?:paddle::optional\s*<[^<>]*>|[A-Za-z_][\w:]*(?:\s*\(\s*\w*\s*\))?)(?:\s*\[\s*\])?)"
    r"\s+(?P<name>[^\s=]+)\s*(?P<eq>=\s*(?P<default>.*))?",
    re.DOTALL,
)
_OUTPUT = re.compile(
    r"(?P<type>\w+(?:\s*\[\s*\])?)\s*(?:\(\s*(?P<name>[^()@\s]*)\s*(?:@\s*(?P<kind>\w+)\s*)?\))?"
    r"\s*(?:\{(?P<size>.*)\})?",
    re.DOTALL,
)
_BRANCH = re.compile(r"(?P<name>[A-Za-z_][\w:]*)\s*(?:\{(?P<kinds>[^{}]*)\})?[\s,]*")
_PAIR = re.compile(r"\s*(?P<first>\w+)\s*->\s*(?P<second>\w+)\s*")
_CALL = re.compile(r"(?P<func>[\w:]+)\s*\((?P<args>.*)\)", re.DOTALL)
_FORWARD = re.compile(r"(?P<name>\w+)\s*(?P<args>\(.*\))\s*->\s*(?P<outputs>.*)", re.DOTALL)


@dataclass(frozen=True)
class Context:
    """The entry that a value stands in: its op, and where errors go."""

    op: str
    diag: Diagnostics
    optional: Set[str] = frozenset()
    intermediate: Set[str] = frozenset()
    kinds: Mapping[str, TensorKind] = field(default_factory=lambda: KINDS)

    def error(self, code: str, span: Span, message: str, help: str) -> None:
        self.diag.error(code, span.loc, message, help, span.length)


def op_name_fault(node: Node, has_functions: bool) -> tuple[str, str] | None:
    """What is wrong with an op's name, and what helps."""
    if node.kind != "scalar" or not re.fullmatch(OP_NAME, node.value):
        return f"'{node.span.folded[:60]}' is no name for an op", "use lower-case letters, digits and '_'"
    if has_functions and (keyword.iskeyword(node.value) or node.value in _CPP_KEYWORDS | _NAMESPACES):
        return f"'{node.value}' is a word of C++ or Python, no name for an op", f"write '{node.value}_op'"
    return None


def parse_name(span: Span, what: str, ctx: Context) -> str:
    """An identifier that C++ and Python both take as an argument's name."""
    name = span.text
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        ctx.error("PHI009", span, f"'{span.folded}' is no name for {what} of '{ctx.op}'", "use letters, digits and '_'")
    elif keyword.iskeyword(name) or name in _CPP_KEYWORDS:
        ctx.error("PHI009", span, f"'{name}' is a keyword, no name for {what} of '{ctx.op}'", f"write '{name}_'")
    return name


def _types(word: str, types: Iterable[str]) -> str:
    return did_you_mean(word, types) or f"types: {', '.join(types)}"


def parse_args(span: Span, ctx: Context) -> tuple[Arg, ...]:
    """`(Tensor x, int[] axes = {1, 1}, bool keepdim = false)`."""
    text = span.text
    if not (text.startswith("(") and text.endswith(")")):
        ctx.error("PHI008", span, f"args of '{ctx.op}' must stand in parentheses", "write (Tensor x, ...)")
        return ()
    inner = span.sub(1, len(text) - 1)
    args = [_parse_arg(piece, ctx) for piece in inner.split(",")]
    return tuple(a for a in args if a is not None)


def _parse_arg(span: Span, ctx: Context) -> Arg | None:
    match = _ARG.fullmatch(span.text)
    if match is None:
        if span.text:
            ctx.error("PHI008", span, f"malformed argument '{span.folded}' of '{ctx.op}'", "write Type name = default")
        else:
            ctx.error("PHI008", span, f"an argument of '{ctx.op}' is empty", "remove the extra comma")
        return None
    type = re.sub(r"\s", "", match["type"])
    optional = type.startswith("paddle::optional<")
    if optional:
        type = type[len("paddle::optional<") : -1]
    name = parse_name(span.group(match, "name"), "an argument", ctx)
    if type not in TYPES:
        place = span.group(match, "type")
        ctx.error("PHI007", place, f"unknown type '{type}' in args of '{ctx.op}'", _types(type, TYPES))
        return None
    optional = optional or name in ctx.optional
    if optional and not TYPES[type].can_be_optional:
        help = "give it a default, or a type that can be: Tensor, Tensor[], a number, bool, DataType, Place"
        ctx.error("PHI040", span, f"argument '{name}' of '{ctx.op}' has type {type}, which cannot be optional", help)
    default = match["default"]
    if default is not None:
        default = span.group(match, "default").folded
        _check_default(default, type, optional, span, match, ctx)
    return Arg(name, type, default, optional, span.loc)


def _check_default(default: str, type: str, optional: bool, span: Span, match: re.Match[str], ctx: Context) -> None:
    if optional and default in NONE:
        return
    place = span.group(match, "default")
    if not place.text:
        place = span.group(match, "eq")
    if TYPES[type].is_tensor:
        ctx.error("PHI012", place, f"tensor '{match['name']}' of '{ctx.op}' has a default", "list it under `optional`")
        return
    try:
        TYPES[type].literal(default)
    except LiteralError as error:
        message = f"default '{default}' of '{match['name']}' in '{ctx.op}' does not fit type {type}"
        ctx.error("PHI012", place, message, str(error))


def parse_outputs(span: Span, ctx: Context) -> tuple[tuple[Output, ...], tuple[tuple[str, str], ...]]:
    """`Tensor(out), Tensor[](cache){x.size()}`; also the kinds of `Tensor(out@StringTensor)`, by output."""
    outputs, kinds = [], []
    for piece in span.split(","):
        match = _OUTPUT.fullmatch(piece.text)
        if match is None:
            ctx.error("PHI011", piece, f"malformed output '{piece.folded}' of '{ctx.op}'", "write Tensor(out)")
            continue
        type = re.sub(r"\s", "", match["type"])
        if type not in ("Tensor", "Tensor[]"):
            place, help = piece.group(match, "type"), _types(type, ("Tensor", "Tensor[]"))
            ctx.error("PHI007", place, f"unknown type '{type}' in outputs of '{ctx.op}'", help)
            continue
        name = "out" if match["name"] is None else parse_name(piece.group(match, "name"), "an output", ctx)
        if match["kind"]:
            kinds.append((name, match["kind"]))
        size = None if match["size"] is None else piece.group(match, "size").folded
        flags = (name in ctx.optional, name in ctx.intermediate)
        outputs.append(Output(name, type, size, *flags, piece.loc))
    return tuple(outputs), tuple(kinds)


def parse_kernel_func(span: Span, ctx: Context) -> tuple[KernelBranch, ...]:
    """`scale{dense -> dense}, scale_sr{selected_rows -> selected_rows}`; separators may be missing."""
    branches: list[KernelBranch] = []
    pos, text = 0, span.text
    while pos < len(text):
        match = _BRANCH.match(text, pos)
        if match is None:
            help = "write name, or name{dense -> dense}, other{selected_rows -> dense}"
            ctx.error("PHI014", span.sub(pos, len(text)), f"malformed kernel func of '{ctx.op}'", help)
            break
        inputs: tuple[TensorKind, ...] = ()
        outputs: tuple[TensorKind, ...] = ()
        if match["kinds"] is not None:
            kinds = span.group(match, "kinds")
            arrow, length = kinds.text.find("->"), len(kinds.text)
            if kinds.text.count("->") != 1:
                help = "write {dense -> dense}"
                ctx.error("PHI014", kinds, f"malformed tensor kinds '{kinds.folded}' in '{ctx.op}'", help)
            else:
                inputs = _parse_kinds(kinds.sub(0, arrow), ctx)
                outputs = _parse_kinds(kinds.sub(arrow + 2, length), ctx)
        branches.append(KernelBranch(match["name"], inputs, outputs))
        pos = match.end()
    if not text:
        ctx.error("PHI014", span, f"kernel func of '{ctx.op}' is empty", "write `func : kernel_name`")
    elif len(branches) > 1 and not all(b.inputs or b.outputs for b in branches):
        ctx.error("PHI014", span, f"every kernel of '{ctx.op}' must name its tensor kinds", "write name{dense -> ...}")
    return tuple(branches)


def _parse_kinds(span: Span, ctx: Context) -> tuple[TensorKind, ...]:
    """`dense, vec::sparse_coo`; the op's arguments say which are lists."""
    names = [piece.text.removeprefix("vec::") for piece in span.split(",")]
    for piece, name in zip(span.split(","), names):
        if name not in ctx.kinds:
            help = did_you_mean(name, ctx.kinds) or f"expected one of {', '.join(ctx.kinds)}"
            ctx.error("PHI015", piece, f"unknown tensor kind '{piece.folded}' in kernel of '{ctx.op}'", help)
    return tuple(ctx.kinds.get(name, DENSE) for name in names)


def parse_pairs(span: Span, key: str, ctx: Context) -> tuple[tuple[Span, Span], ...]:
    """`(a -> b), (c -> d)` and `(a -> b, c -> d)`."""
    pairs = []
    for group in span.split(","):
        text = group.text
        bracketed = text.startswith("(") and text.endswith(")")
        for piece in group.sub(1, len(text) - 1).split(",") if bracketed else [group]:
            match = _PAIR.fullmatch(piece.text)
            if match is None or not bracketed:
                help = "write (x -> out), (y -> y_out)"
                ctx.error("PHI016", piece, f"malformed {key} '{piece.folded}' of '{ctx.op}'", help)
            else:
                pairs.append((piece.group(match, "first"), piece.group(match, "second")))
    if not pairs and not span.text:
        ctx.error("PHI016", span, f"{key} of '{ctx.op}' is empty", "remove the key")
    return tuple(pairs)


def parse_call(span: Span) -> tuple[str, tuple[str, ...]] | None:
    """`func(a, b.dtype(), 0.0f)`; None when it is no call."""
    match = _CALL.fullmatch(span.text)
    return None if match is None else (match["func"], tuple(p.folded for p in span.group(match, "args").split(",")))


def parse_functors(span: Span, ctx: Context) -> tuple[Functor, ...]:
    """`MultiplyXGradFunctor(y, out_grad), out_grad`: for each output a functor of tensors, or a tensor."""
    functors = []
    for piece in span.split(","):
        call = parse_call(piece)
        if call is not None:
            functors.append(Functor(*call))
        elif re.fullmatch(r"[A-Za-z_]\w*", piece.text):
            functors.append(Functor(None, (piece.text,)))
        else:
            help = "write a functor of tensors for each output, such as MultiplyXGradFunctor(y, out_grad)"
            ctx.error("PHI050", piece, f"malformed functor '{piece.folded[:60]}' of '{ctx.op}'", help)
    return tuple(functors)


def parse_signature(span: Span, ctx: Context) -> tuple[str, tuple[Arg, ...], tuple[Output, ...]] | None:
    """`scale (Tensor x, Scalar scale) -> Tensor(out)`; None, with an error, when it is none."""
    match = _FORWARD.fullmatch(span.text)
    if match is None or not re.fullmatch(OP_NAME, match["name"]):
        help = "write op_name (Tensor x, ...) -> Tensor(out)"
        ctx.error("PHI018", span, f"malformed forward '{span.folded[:60]}' of '{ctx.op}'", help)
        return None
    inner = Context(match["name"], ctx.diag, ctx.optional, ctx.intermediate, ctx.kinds)
    args = parse_args(span.group(match, "args"), inner)
    return match["name"], args, parse_outputs(span.group(match, "outputs"), inner)[0]
