"""What a type of the YAML is on every side of the border."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from .literals import LiteralError, Value


@dataclass(frozen=True, kw_only=True)
class Type:
    """One type of the YAML, or the form of one that an argument has: optional, or without a default.

    A new type is a class of its own, or an object of one that there is, and a row of the table.
    """

    name: str  # in the YAML
    schema: str  # in torch's schema language
    dispatcher: str  # the C++ type of a dispatcher function's argument
    kernel: str  # what a kernel's author writes
    typed: str = ""  # in a typed kernel call, to which authors' signatures are normalised; default: `kernel`
    infer: str = ""  # in an InferMeta function; default: `typed`
    paddle: str = ""  # in Paddle's C++ API; default: `kernel`
    unwrap: str = "Unwrap({})"  # from there to the dispatcher
    python: str  # in the reference
    annotation: str = ""  # in Python's functions; default: `python`
    or_tensor: str = ""  # the annotation where a tensor may be given instead; empty where none may
    argument: str  # the class of csrc/torch/python/fast_arguments.h
    saved: str = ""  # the field of a node of the graph; default: `dispatcher`
    save: str = "{}"  # the expression that saves it; empty where that cannot be done
    zero: str = ""  # the field's first value
    example: str = "None"  # some value, in Python
    parameter: str = ""  # the name of each such argument in torch, where that is fixed
    element: Type | None = field(default=None)  # of a list

    is_tensor: ClassVar[bool] = False
    can_be_optional: ClassVar[bool] = False
    takes_none: ClassVar[bool] = False  # None stands for the operator's own default

    def __post_init__(self) -> None:
        typed = self.typed or self.kernel
        defaults = {"typed": typed, "infer": typed, "paddle": self.kernel, "annotation": self.python, "saved": self.dispatcher}
        for name, value in defaults.items():
            if not getattr(self, name):
                object.__setattr__(self, name, value)

    def form(self, optional: bool, has_default: bool) -> Type:
        """The type of an argument that may be absent, or left out."""
        return self

    @property
    def is_list(self) -> bool:
        return self.element is not None

    @property
    def tensor_able(self) -> bool:
        """Whether an overload of the operator takes it as a tensor."""
        return bool(self.or_tensor)

    @property
    def saved_argument(self) -> str:
        """How a node's formula takes the field."""
        return self.saved if self.zero else f"const {self.saved}&"

    # ---- the values of defaults ----

    def literal(self, text: str) -> Value:
        """The value of a C++ literal; raises LiteralError, which says why, when it is none of this type."""
        text = text.strip()
        if not text:
            raise LiteralError("the default is empty")
        return self.parse(text)

    def parse(self, text: str) -> Value:
        """The same, of a text without surrounding spaces that is not empty."""
        raise LiteralError(f"an argument of type {self.name} takes no default")

    def in_schema(self, value: Value) -> str | None:
        """A value in torch's schema language; None where that has no word for it."""
        return repr(value)

    def in_python(self, value: Value) -> str:
        return repr(value)

    def in_signature(self, value: Value) -> str:
        """As inspect.signature reads it: only literals are defaults there."""
        return self.in_python(value)

    def in_cpp(self, value: Value) -> str:
        """An expression inside namespace phi."""
        return str(value)

    def in_call(self, value: Value) -> str:
        """An argument of the dispatcher's type."""
        return self.in_cpp(value)

    def initial(self, value: Value) -> str:
        """The initialiser of the class `argument`; none where that knows the operator's own default."""
        text = self.in_cpp(value)
        return text if text.startswith("{") else f"({text})"

    # ---- from one form to another ----

    def convert(self, name: str, local: str, default: Value, symbolic: bool) -> tuple[str | None, str]:
        """From the dispatcher's argument `name` to a kernel's: a statement that defines `local`, and the expression.

        `default` is what None stands for, None if nothing says so; `symbolic`: sizes are SymInt.
        """
        return None, name

    def taken_from(self, source: Type) -> str | None:
        """The expression that makes a dispatcher's argument of another's; None where there is none."""
        return "{}" if source.dispatcher == self.dispatcher else None
