"""The process-wide switches: `phi_torch.flags.use_onednn = False`, or `with phi_torch.flags(use_onednn=False):`.

Each has an environment variable that sets it at the start: PHI_USE_ONEDNN=0.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from . import _C

_BOOLS = {"true": True, "false": False}


class Flags:
    """use_onednn, use_cudnn, use_stride_kernel, use_kps, log (bool); cpu_fallback ("error", "warn" or "silent").

    use_onednn and use_cudnn: whether kernels of the backends ONEDNN and GPUDNN are selected. These are torch's convolutions,
    which run on oneDNN and cuDNN where the libraries take the shape; without them phi_torch multiplies matrices.
    """

    def __getattr__(self, name: str) -> bool | str:
        self._check(name)
        text = _C.get_flag(name)
        return _BOOLS.get(text, text)

    def __setattr__(self, name: str, value: bool | str) -> None:
        self._check(name)
        _C.set_flag(name, str(value).lower())

    def __dir__(self) -> list[str]:
        return sorted([*super().__dir__(), *_C.flag_names()])

    def __repr__(self) -> str:
        return f"Flags({', '.join(f'{name}={getattr(self, name)!r}' for name in _C.flag_names())})"

    @contextmanager
    def __call__(self, **values: bool | str) -> Iterator[None]:
        """Sets flags until the end of a `with` block."""
        before = {name: getattr(self, name) for name in values}
        try:
            for name, value in values.items():
                setattr(self, name, value)
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)

    def _check(self, name: str) -> None:
        if name not in _C.flag_names():
            raise AttributeError(f"phi_torch has no flag '{name}'; flags are {', '.join(_C.flag_names())}")


flags = Flags()
