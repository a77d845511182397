"""Kernels written in Python, for operators that exist."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch

from . import _C, _build_info, _namespaces
from ._op_info import OpInfo

BACKENDS = (*(name for kernels in _build_info.backends.values() for name in kernels), "ALL_BACKEND")


class PythonKernel:
    """A registered function; `remove` takes the registration back. Calling it calls the function."""

    def __init__(self, function: Callable[..., None], op: str, keys: list[str], undo: list[Callable[[], None]]) -> None:
        self.function = function
        self.op = op
        self.keys = keys
        self._undo = undo
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<kernel {self.__name__} of {self.op} for {', '.join(self.keys)}>"

    def remove(self) -> None:
        """The kernel that stood behind this one is selected again."""
        for undo in self._undo:
            undo()
        self._undo = []

    def __enter__(self) -> PythonKernel:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()


def kernel(
    op: str, *, backend: str, dtypes: Sequence[torch.dtype], layout: str = "ALL_LAYOUT", priority: int = 0, override: bool = False
) -> Callable[[Callable[..., None]], PythonKernel]:
    """Makes a Python function, which may launch a Triton kernel, a kernel of an operator.

    The function takes the kernel's arguments by their YAML names: tensors that borrow the call's memory, attributes, and
    the outputs, allocated, into which it writes. An absent optional tensor, and an output that is not wanted, is None.
    Autograd, shapes, checks and torch.compile stay as they are: only the computation is replaced.

        @phi_torch.kernel("gelu", backend="CPU", dtypes=[torch.float32], override=True)
        def gelu(x, approximate, out):
            torch.ops.aten.gelu.out(x, approximate="tanh" if approximate else "none", out=out)

    Args:
        op: `gelu`, a backward operator such as `gelu_grad`, or `my::swiglu` of an extension.
        backend: CPU, GPU, GPUDNN, ONEDNN, KPS, CUSTOM or ALL_BACKEND.
        dtypes: of the kernel's key.
        priority: among kernels of one key that of the highest priority is selected; kernels in C++ have 0.
        override: stand before a kernel of the same key and priority.

    Returns:
        A decorator. What it makes can be called as the function, removed, and used in a `with`.

    Raises:
        KeyError: there is no such operator.
        TypeError: the function's parameters are not the kernel's.
        ValueError: the operator has no kernel, the backend is unknown, or the key is taken and `override` is not given.
    """
    info = _namespaces.find(op)
    if not info.kernels or info.category == "view":
        raise ValueError(f"'{op}' has no kernel to replace: it is made of other operators ({info.loc})")
    if backend not in BACKENDS:
        raise ValueError(f"backend {backend!r}: expected one of {', '.join(BACKENDS)}")
    if isinstance(dtypes, torch.dtype) or not dtypes:
        raise TypeError(f"dtypes: expected a list of torch dtypes, got {dtypes!r}")
    tensors = [text.split() for text in info.kernel_args if text.startswith("Tensor")]
    attributes = [text.rpartition(" ")[2] for text in info.kernel_args if not text.startswith("Tensor")]
    outputs = [text.split() for text in info.kernel_outputs]
    names = [*(name for _, name in tensors), *filter(None, attributes), *(name for _, name in outputs)]

    def register(function: Callable[..., None]) -> PythonKernel:
        _check_parameters(function, names, info)

        def call(given: list[list[Any]], values: list[Any], made: list[list[Any]]) -> None:
            arguments = {name: value for name, value in zip(attributes, values) if name}
            for (type, name), list_ in zip([*tensors, *outputs], [*given, *made]):
                arguments[name] = list_ if type == "Tensor[]" else list_[0]
            function(**arguments)

        code = getattr(function, "__code__", None)
        place = (code.co_filename, code.co_firstlineno) if code is not None else (repr(function), 0)
        undo: list[Callable[[], None]] = []
        for dtype in dtypes:
            key = (backend, layout, str(dtype).removeprefix("torch."))
            undo.append(_C.register_kernel(info.kernels[0], key, call, place, priority, override))
        if errors := _C.take_registration_errors():
            for take_back in undo:
                take_back()
            raise ValueError("\n".join(errors) + "\nGive `override=True`, or a higher `priority`.")
        return PythonKernel(function, op, [f"{backend} {str(d).removeprefix('torch.')}" for d in dtypes], undo)

    return register


def _check_parameters(function: Callable[..., None], names: list[str], info: OpInfo) -> None:
    signature = inspect.signature(function)
    try:
        signature.bind(**dict.fromkeys(names))
    except TypeError as error:
        raise TypeError(
            f"kernel {getattr(function, '__name__', function)!r} of '{info.full_name}': expected the parameters "
            f"({', '.join(names)}), got {signature}: {error}"
        ) from None
