"""PaddlePaddle's PHI operator library as a PyTorch extension."""

from . import _load

_load.load()

from ._build_info import version as __version__  # noqa: E402

__all__ = ["__version__"]
