"""One entry of the YAML while it is read: its keys, each with its place, become an `Op`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from ..model import category as categories
from ..model.diagnose import Diagnostics, did_you_mean
from ..model.op import Arg, ArgDef, Forward, InferMeta, Invoke, Kernel, Op, Output
from ..types.kinds import KINDS, TensorKind
from .grammar import (
    Context,
    op_name_fault,
    parse_args,
    parse_call,
    parse_functors,
    parse_kernel_func,
    parse_outputs,
    parse_pairs,
    parse_signature,
)
from .nodes import Node, Span

_Named = TypeVar("_Named", Arg, Output)
_ALIASES = {
    "api": "op",
    "backward_api": "backward_op",
    "attrs": "attributes",
    "outputs": "output",
}
OWN_KEYS = (
    *("doc", "category", "dtypes", "functor", "composite", "jvp", "autocast", "vmap", "type_promotion", "strided", "pass_through"),
    *("stands_for", "shape_from", "mutable_attributes", "tile", "layout", "torch", "since", "deprecated"),
)
PADDLE_ONLY = (
    *("support_dygraph_mode", "support_tensor", "scalar", "int_array", "extra", "complex_promote", "drop_empty_grad"),
    *("manual_signature", "get_expected_kernel_type", "version"),
)
KEYS = (
    *("op", "api", "backward_op", "backward_api", "forward", "args", "inputs", "attributes", "attrs", "output"),
    *("outputs", "infer_meta", "kernel", "backward", "invoke", "inplace", "view", "optional", "intermediate"),
    *("no_need_buffer", "data_transform", "traits", "interfaces"),
    *OWN_KEYS,
    *PADDLE_ONLY,
)
INFER_META_KEYS = ("func", "param", "spmd_rule", "local_shape", "global_shape")
KERNEL_KEYS = (
    "func",
    "param",
    "data_type",
    "layout",
    "backend",
    "force_backend",
    "args_def",
    "when",
    "only_rows",
    "use_gpudnn",
    "use_cudnn",
)
ARG_DEF_KEYS = ("backend", "dtype")
DATA_TRANSFORM_KEYS = ("skip_transform", "support_trans_dtype")


class Entry:
    """One entry while it is read."""

    has_functions = True  # of C++ and Python, in the operator's name

    def __init__(self, node: Node, diag: Diagnostics, kinds: Mapping[str, TensorKind] = KINDS) -> None:
        self.node = node
        self.diag = diag
        self.kinds = kinds
        self.loc = node.span.loc
        self.name = "?"
        self.keys: dict[str, Node] = {}
        self.paddle_only: list[tuple[str, str]] = []

    def parse(self) -> Op | None:
        """The op; None when the entry has errors."""
        before = len(self.diag.errors)
        if self.node.kind != "mapping":
            help = "start each entry with `- op : name`"
            self.error("PHI002", self.node.span, "an entry must be a mapping of keys", help)
            return None
        self.keys = self.mapping(self.node, KEYS, "entry", _ALIASES)
        if not self._read_name():
            return None
        op = self._read_op()
        if len(self.diag.errors) > before:
            self.diag.broken.add(self.name)
            return None
        return op

    def error(self, code: str, span: Span, message: str, help: str) -> None:
        self.diag.error(code, span.loc, message, help, span.length)

    def remember(self, key: str, span: Span) -> None:
        self.diag.remember(self.loc, key, span.loc, span.length)

    def mapping(self, node: Node, known: Sequence[str], what: str, aliases: dict[str, str] | None = None) -> dict[str, Node]:
        """The values of a mapping by key; unknown and repeated keys are errors."""
        found: dict[str, Node] = {}
        if node.kind != "mapping":
            self.error("PHI006", node.span, f"{what} of '{self.name}' must be a mapping", f"keys: {', '.join(known)}")
            return found
        for key_node, value in node.pairs():
            key = key_node.value if key_node.kind == "scalar" else key_node.span.folded
            if key not in known:
                where = "" if self.name == "?" else f" of '{self.name}'"
                help = did_you_mean(key, known) or f"known keys: {', '.join(known)}"
                self.error("PHI003", key_node.span, f"unknown key '{key}' in {what}{where}", help)
                continue
            key = (aliases or {}).get(key, key)
            if key in found:
                self.error("PHI004", key_node.span, f"key '{key}' is written twice in {what}", "remove one of them")
                continue
            found[key] = value
        return found

    def text(self, key: str) -> Span | None:
        """The span of a scalar value; None when the key is absent."""
        node = self.keys.get(key)
        if node is None:
            return None
        span = self.scalar(node, key)
        if span is not None:
            self.remember(key, span)
        return span

    def scalar(self, node: Node, key: str) -> Span | None:
        if node.kind != "scalar":
            help = "write it without brackets, on one line or indented deeper than its key"
            self.error("PHI006", node.span, f"'{key}' of '{self.name}' must be text, not a {node.kind}", help)
            return None
        return node.span

    def word(self, key: str) -> str | None:
        """A value that is one line of text, as YAML reads it; an empty one is an error."""
        span = self.text(key)
        if span is None:
            return None
        if not span.text:
            self.error("PHI006", span, f"'{key}' of '{self.name}' is empty", "write a value, or remove the key")
        return " ".join(self.keys[key].value.split())

    def names(self, key: str, node: Node | None, prefix: str = "") -> tuple[str, ...]:
        """`a, b` or `[a, b]`; each place is remembered as `key.name`."""
        if node is None:
            return ()
        if node.kind == "mapping":
            self.error("PHI006", node.span, f"'{key}' of '{self.name}' must be a list of names", "write a, b or [a, b]")
            return ()
        spans = [n.span for n in node.items()] if node.kind == "sequence" else node.span.split(",")
        if not spans and node.kind == "scalar":
            self.error("PHI006", node.span, f"'{key}' of '{self.name}' is empty", "remove the key")
        for span in spans:
            self.remember(f"{prefix}{key}.{span.folded}", span)
        return tuple(s.folded for s in spans)

    def _read_name(self) -> bool:
        is_backward = "backward_op" in self.keys
        if is_backward and "op" in self.keys:
            self.error("PHI004", self.keys["op"].span, "an entry has either `op` or `backward_op`", "split the entry")
        node = self.keys.get("backward_op" if is_backward else "op")
        if node is None:
            self.diag.error("PHI005", self.loc, "the entry has no `op`", "start it with `- op : name`")
            return False
        if fault := op_name_fault(node, self.has_functions):
            self.error("PHI009", node.span, *fault)
            return False
        self.name = node.value
        self.remember("op", node.span)
        return True

    def _read_op(self) -> Op:
        optional = self.names("optional", self.keys.get("optional"))
        intermediate = self.names("intermediate", self.keys.get("intermediate"))
        ctx = Context(self.name, self.diag, frozenset(optional), frozenset(intermediate), self.kinds)
        args, outputs = self._read_args(ctx), self._read_outputs(ctx)
        transform = self.keys.get("data_transform")
        trans = {} if transform is None else self.mapping(transform, DATA_TRANSFORM_KEYS, "data_transform")
        cat = self._choice("category", tuple(categories.CATEGORIES)) or "general"
        forward = self._read_forward(ctx)
        is_backward = "backward_op" in self.keys
        composite, invoke = self._read_composite(outputs), self._read_invoke()
        for key in PADDLE_ONLY:
            if key in self.keys:
                self.paddle_only.append((key, self.keys[key].span.folded))
        vmap, kernel = self.word("vmap"), self._read_kernel(cat, args, forward, invoke, ctx)
        autocast = self._choice("autocast", categories.AUTOCAST)
        unread = frozenset(self.names("no_need_buffer", self.keys.get("no_need_buffer")))
        on_backends = self._read_dtypes()
        functors = parse_functors(span, ctx) if (span := self.text("functor")) is not None else ()
        composite_alone = [backend for backend, _ in on_backends] == [categories.COMPOSITE]
        strided = tuple(a.name for a in args if a.is_tensor) if composite_alone else categories.default_strided(cat, args)
        if not functors and not composite_alone:
            functors = categories.default_functors(cat, self.name, kernel, args, unread)
        return Op(
            name=self.name,
            args=args,
            outputs=outputs,
            infer_meta=self._read_infer_meta(cat, args, outputs, invoke),
            kernel=kernel,
            backward=self.word("backward"),
            forward=forward,
            invoke=invoke,
            inplace=self._read_pairs("inplace", ctx),
            view=self._read_pairs("view", ctx),
            no_need_buffer=unread,
            skip_transform=frozenset(self.names("skip_transform", trans.get("skip_transform"))),
            support_trans_dtype=frozenset(self.names("support_trans_dtype", trans.get("support_trans_dtype"))),
            category=cat,
            dtypes=tuple(dict.fromkeys(d for _, found in on_backends for d in found)) or categories.default_dtypes(cat, kernel),
            backend_dtypes=tuple(pair for pair in on_backends if pair[0]),
            functors=functors,
            composite=composite,
            jvp=self._choice("jvp", categories.JVP),
            autocast=autocast or categories.default_autocast(cat, args, is_backward),
            vmap=vmap or categories.default_vmap(cat, composite is not None),
            type_promotion=self._own_names("type_promotion", categories.default_type_promotion(cat, args), args),
            strided=frozenset(self._own_names("strided", tuple(strided), args)),
            pass_through=self._read_pairs("pass_through", ctx),
            stands_for=self._read_pairs("stands_for", ctx),
            shape_from=self.names("shape_from", self.keys.get("shape_from")),
            mutable_attributes=self.names("mutable_attributes", self.keys.get("mutable_attributes")),
            tile=self._choice("tile", categories.TILE),
            layout_tag=self._choice("layout", categories.LAYOUT_TAGS),
            torch=self.word("torch"),
            doc=self._read_doc(),
            since=self.word("since"),
            deprecated=self.word("deprecated"),
            traits=self.names("traits", self.keys.get("traits")),
            interfaces=self.names("interfaces", self.keys.get("interfaces")),
            paddle_only=tuple(self.paddle_only),
            source=self.loc.file,
            loc=self.loc,
        )

    def _read_args(self, ctx: Context) -> tuple[Arg, ...]:
        span = self.text("args")
        if span is not None:
            for key in ("inputs", "attributes"):
                if key in self.keys:
                    self.error("PHI004", self.keys[key].span, f"'{self.name}' has `args` and `{key}`", "keep `args`")
            return self._unique(parse_args(span, ctx))
        parts = [s for s in (self.text("inputs"), self.text("attributes")) if s is not None]
        if not parts and "args" not in self.keys:
            self.diag.error_at("PHI005", self.loc, "op", f"'{self.name}' has no `args`", "write `args : (Tensor x)`")
        return self._unique(tuple(a for s in parts for a in parse_args(s, ctx)))

    def _read_outputs(self, ctx: Context) -> tuple[Output, ...]:
        span = self.text("output")
        if span is None:
            if "output" not in self.keys:
                help = "write `output : Tensor(out)`"
                self.diag.error_at("PHI005", self.loc, "op", f"'{self.name}' has no `output`", help)
            return ()
        outputs, kinds = parse_outputs(span, ctx)
        self.paddle_only += [(f"output.{name}", kind) for name, kind in kinds]
        return self._unique(outputs)

    def _unique(self, items: tuple[_Named, ...]) -> tuple[_Named, ...]:
        seen: set[str] = set()
        for item in items:
            if item.name in seen:
                message, width = f"'{self.name}' names '{item.name}' twice", len(f"{item.type} {item.name}")
                self.diag.error("PHI010", item.loc, message, "rename one of them", width)
            seen.add(item.name)
        return items

    def _read_forward(self, ctx: Context) -> Forward | None:
        span = self.text("forward")
        if "backward_op" not in self.keys:
            if span is not None:
                self.error("PHI003", span, f"'{self.name}' has `forward`, but is no backward_op", "write `backward_op`")
            return None
        if span is None:
            if "forward" not in self.keys:
                help = "write `forward : op (args) -> Tensor(out)`"
                self.diag.error_at("PHI005", self.loc, "op", f"'{self.name}' has no `forward`", help)
            return None
        signature = parse_signature(span, ctx)
        return None if signature is None else Forward(*signature, loc=span.loc)

    def _read_infer_meta(
        self, cat: str, args: tuple[Arg, ...], outputs: tuple[Output, ...], invoke: Invoke | None
    ) -> InferMeta | None:
        node, default = self.keys.get("infer_meta"), categories.default_infer_meta(cat, args)
        if default is None and "backward_op" in self.keys and not self.keys.keys().isdisjoint(("kernel", "dtypes")):
            default = categories.default_grad_infer_meta(args, outputs)
        if node is None:
            return None if default is None or invoke else InferMeta(*default, None, None, None, loc=self.loc)
        keys = self.mapping(node, INFER_META_KEYS, "infer_meta")
        func = self._scalar_of(keys, "infer_meta", "func") or (default[0] if default else None)
        if func is None:
            if "func" not in keys and node.kind == "mapping":
                self.error("PHI005", node.span, f"infer_meta of '{self.name}' has no `func`", "write `func : NameInferMeta`")
            return None
        param = self.names("param", keys.get("param"), "infer_meta.") if "param" in keys else None
        spmd, local, whole = (self._scalar_of(keys, "infer_meta", k) for k in INFER_META_KEYS[2:])
        return InferMeta(func, param, spmd, local, whole, loc=node.span.loc)

    def _scalar_of(self, keys: dict[str, Node], parent: str, key: str) -> str | None:
        if key not in keys:
            return None
        span = self.scalar(keys[key], f"{parent}.{key}")
        if span is None:
            return None
        if not span.text:
            self.error("PHI006", span, f"'{parent}.{key}' of '{self.name}' is empty", "write a value, or remove the key")
        self.remember(f"{parent}.{key}", span)
        return span.folded

    def _read_kernel(
        self, cat: str, args: tuple[Arg, ...], forward: Forward | None, invoke: Invoke | None, ctx: Context
    ) -> Kernel | None:
        node = self.keys.get("kernel")
        own = categories.CATEGORIES[cat].own_kernel or "dtypes" in self.keys
        if node is None:
            if not own or invoke:
                return None
            data_type = categories.default_data_type(cat, args, forward)
            backend = categories.default_key(cat, args, "Place")
            return Kernel(categories.own_branch(self.name), None, (), data_type, False, backend, (), None, None, self.loc)
        keys = self.mapping(node, KERNEL_KEYS, "kernel")
        self.paddle_only += [(f"kernel.{k}", keys[k].span.folded) for k in ("use_gpudnn", "use_cudnn") if k in keys]
        branches = categories.own_branch(self.name) if own else ()
        if "func" in keys:
            func = self.scalar(keys["func"], "kernel.func")
            if func is not None:
                self.remember("kernel.func", func)
                branches = parse_kernel_func(func, ctx)
        elif not own and node.kind == "mapping":
            self.error("PHI005", node.span, f"kernel of '{self.name}' has no `func`", "write `func : kernel_name`")
        when = self.mapping(keys["when"], [b.name for b in branches], "kernel.when") if "when" in keys else {}
        data_type, to_complex = self._key_names("data_type", keys)
        return Kernel(
            branches=tuple(replace(b, when=self._scalar_of(when, "kernel.when", b.name)) for b in branches),
            param=self.names("param", keys.get("param"), "kernel.") if "param" in keys else None,
            args_def=self._read_args_def(keys),
            data_type=data_type or categories.default_key(cat, args, "DataType"),
            data_type_to_complex=to_complex,
            backend=self._key_names("backend", keys)[0] or categories.default_key(cat, args, "Place"),
            layout=self._key_names("layout", keys)[0],
            force_backend=self._scalar_of(keys, "kernel", "force_backend"),
            only_rows=self._scalar_of(keys, "kernel", "only_rows"),
            loc=node.span.loc,
        )

    def _read_args_def(self, keys: dict[str, Node]) -> tuple[ArgDef, ...]:
        """`args_def : {mask : {dtype : uint8}}`; each place is remembered as `kernel.args_def.name`."""
        node = keys.get("args_def")
        if node is None:
            return ()
        if node.kind != "mapping":
            self.error("PHI006", node.span, f"'kernel.args_def' of '{self.name}' must be a mapping", "write name : {dtype : any}")
            return ()
        found = []
        for name, value in node.pairs():
            self.remember(f"kernel.args_def.{name.value}", name.span)
            parts = self.mapping(value, ARG_DEF_KEYS, "kernel.args_def")
            texts = {key: span.folded for key, part in parts.items() if (span := self.scalar(part, f"args_def.{key}")) is not None}
            found.append(ArgDef(name.value, texts.get("backend"), texts.get("dtype")))
        return tuple(found)

    def _read_dtypes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """`floating, complex` for every backend, or a mapping `CPU : floating, int64`."""
        node = self.keys.get("dtypes")
        if node is None or node.kind != "mapping":
            names = self.names("dtypes", node)
            return (("", names),) if names else ()
        backends = self.mapping(node, (*categories.GENERATED_BACKENDS, categories.COMPOSITE), "dtypes")
        return tuple((backend, self.names("dtypes", value)) for backend, value in backends.items())

    def _key_names(self, key: str, keys: dict[str, Node]) -> tuple[tuple[str, ...], bool]:
        """`x`, `dtype > x`, `place>`, `x, y`, `complex(x)`, `DataType::FLOAT32`."""
        if key not in keys:
            return (), False
        span = self.scalar(keys[key], f"kernel.{key}")
        if span is None:
            return (), False
        names, to_complex = [], False
        for part in (p for side in span.split(">") for p in side.split(",")):
            call = re.fullmatch(r"complex\s*\(\s*(?P<name>\w+)\s*\)", part.text)
            if call is not None and key == "data_type":
                to_complex, part = True, part.group(call, "name")
            if part.text:
                self.remember(f"kernel.{key}.{part.folded}", part)
                names.append(part.folded)
        if not names:
            self.error("PHI006", span, f"'kernel.{key}' of '{self.name}' is empty", "name an argument")
        return tuple(names), to_complex

    def _read_composite(self, outputs: tuple[Output, ...]) -> str | None:
        span = self.text("composite")
        if span is None:
            return None
        text = " ".join(self.keys["composite"].value.split())
        names = "|".join(re.escape(o.name) for o in outputs)
        if re.match(rf"{self.name}\s*\(.*\b({names})\b", text):  # Paddle's form: its C++ rule, which takes the outputs
            self.paddle_only.append(("composite", text))
            return None
        if not text:
            self.error("PHI006", span, f"'composite' of '{self.name}' is empty", "remove the key")
        return text

    def _read_invoke(self) -> Invoke | None:
        span = self.text("invoke")
        if span is None:
            return None
        call = parse_call(span)
        if call is None:
            help = "write op_name(args) or name_impl(args)"
            self.error("PHI039", span, f"malformed invoke '{span.folded[:60]}' of '{self.name}'", help)
            return None
        return Invoke(*call, loc=span.loc)

    def _read_pairs(self, key: str, ctx: Context) -> tuple[tuple[str, str], ...]:
        span = self.text(key)
        if span is None:
            return ()
        pairs = parse_pairs(span, key, ctx)
        for first, second in pairs:
            self.remember(f"{key}.{first.text}", first)
            self.remember(f"{key}.{second.text}", second)
        return tuple((a.text, b.text) for a, b in pairs)

    def _own_names(self, key: str, default: tuple[str, ...], args: tuple[Arg, ...]) -> tuple[str, ...]:
        """Names, or `true` for all tensor inputs, or `false` for none."""
        node = self.keys.get(key)
        if node is None:
            return default
        if node.kind == "scalar" and node.value in ("true", "false"):
            return tuple(a.name for a in args if a.is_tensor and node.value == "true")
        return self.names(key, node)

    def _choice(self, key: str, choices: Sequence[str]) -> str | None:
        value = self.word(key)
        if value is None or value == "" or value in choices:
            return value or None
        help = did_you_mean(value, choices) or f"expected one of {', '.join(choices)}"
        self.error("PHI019", self.keys[key].span, f"unknown {key} '{value}' of '{self.name}'", help)
        return None

    def _read_doc(self) -> str | None:
        return self.keys["doc"].value.strip() or None if self.text("doc") is not None else None
