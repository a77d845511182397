"""Which kernels there are, and which of them a call takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from . import _C, _build_info, _namespaces
from ._expect import expect
from ._op_info import OpInfo

_ANY = ("ALL_BACKEND", "ALL_DTYPE", "UNDEFINED", "Undefined")


class Kernel(NamedTuple):
    """A registered kernel: its key, and the PD_REGISTER_KERNEL that registered it."""

    name: str
    backend: str
    layout: str
    dtype: str
    file: str
    line: int

    def on(self, device: str) -> bool:
        """Whether its key covers this device type."""
        name = "privateuseone" if device == torch._C._get_privateuse1_backend_name() else device
        return self.backend in (*_build_info.backends.get(name, ()), *_ANY)

    def runs(self, device: str, dtype: torch.dtype) -> bool:
        """Whether its key covers this device type and dtype."""
        return self.on(device) and self.dtype in (*_ANY, str(dtype).removeprefix("torch."))


def info(op: str) -> OpInfo:
    """What the YAML says of an op, forward or backward: `gelu`, its in-place form, or `my::gelu` of an extension, or `gelu`
    where only that extension has it.

    Raises:
        KeyError: there is no such op.
    """
    expect("phi_torch", "op", op, str, "give the operator's name, as in 'relu'")
    return _namespaces.find(op)


def kernels(op: str) -> list[Kernel]:
    """All kernels that a call of `op` may take.

    Raises:
        KeyError: there is no such op.
    """
    return [
        Kernel(name, backend, layout, dtype, _file(file), line)
        for name in info(op).kernels
        for backend, layout, dtype, file, line in _C.kernels(name)
    ]


def supported(op: str, device: torch.device | str = "cpu", dtype: torch.dtype = torch.float32) -> bool:
    """Whether `op` runs on this device and dtype without a detour over the CPU.

    An op that is made of others (a view, a composite) runs wherever those do: True.

    Raises:
        KeyError: there is no such op.
    """
    names = info(op).kernels
    return not names or any(k.runs(torch.device(device).type, dtype) for k in kernels(op))


def is_composite(op: str) -> bool:
    """Whether all kernels of `op` are its composite, which runs on torch's operators, on whatever device.

    Raises:
        KeyError: there is no such op.
    """
    found = kernels(op)
    return bool(found) and all(kernel.backend == "ALL_BACKEND" for kernel in found)


@dataclass(frozen=True)
class Call:
    """How one operator chose its kernel."""

    op: str
    key: str  # what the inputs ask for
    sources: tuple[str, ...]  # where the parts of the key came from
    steps: tuple[tuple[str, str, bool], ...]  # (key looked up, why, found)
    transforms: tuple[tuple[str, str], ...]  # (argument, what happens to it before the kernel)
    kernel: str  # the key of the kernel that runs
    place: str  # file:line of its registration
    fallback_cpu: bool

    def __str__(self) -> str:
        lines = [self.op, f"  asks for  {self.key}  ({', '.join(self.sources)})"]
        lines += [f"  {'finds' if found else 'lacks':8}  {key}  {why}" for key, why, found in self.steps]
        lines += [f"  changes   {argument}: {what}" for argument, what in self.transforms]
        if self.fallback_cpu:
            lines.append("  copies its data to the CPU and back")
        return "\n".join([*lines, f"  runs      {self.kernel}  {self.place}"])


@dataclass(frozen=True)
class Explanation:
    """What `explain` found: `calls` in the order of execution; empty if no kernel of phi was reached."""

    op: str
    calls: tuple[Call, ...]

    def __str__(self) -> str:
        if not self.calls:
            return f"{self.op}\n  runs on torch's own operators (a view or a composite); no kernel of phi is selected"
        return "\n".join(str(call) for call in self.calls)


def explain(op: str, *args: Any, **kwargs: Any) -> Explanation:
    """What selection does for the call `phi_torch.<op>(*args, **kwargs)`, without running a kernel.

    Prints as one line for each step: the key that the inputs ask for, the keys looked up, what happens to the data.

    Raises:
        KeyError: there is no such op. Errors of the call itself (bad arguments, no kernel) are raised as the call does.
    """
    found = info(op)
    name = op.rpartition("::")[2]
    function = _namespaces.function(f"{found.namespace}::{name}") or getattr(getattr(torch.ops, found.namespace), name)
    return Explanation(op, tuple(_call(record) for record in _C.trace(lambda: function(*args, **kwargs))))


def _call(record: Mapping[str, Any]) -> Call:
    kernel = record["kernel"]
    return Call(
        op=record["op"].removeprefix("phi::"),
        key=_key(record["key"]),
        sources=tuple(record["key"].get("sources", ())),
        steps=tuple((_key(s["key"]), s["why"], s["found"]) for s in record["steps"]),
        transforms=tuple((t["arg"], t["what"]) for t in record["transforms"]),
        kernel=_key(kernel["key"]),
        place=f"{_file(kernel['file'])}:{kernel['line']}",
        fallback_cpu=record["fallback_cpu"],
    )


def _file(path: str) -> str:
    """The compiler names files relative to the build folder."""
    return path.lstrip("./") if path.startswith("../") else path


def _key(key: Mapping[str, str] | str) -> str:
    if isinstance(key, str):
        return key.strip("()")
    return f"{key['backend']}, {key['layout']}, {key['dtype']}"
