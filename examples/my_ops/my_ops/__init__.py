"""Operators of our own: `my_ops.softswish(x)`, which is `torch.ops.my_ops.softswish`."""

from .ops import *  # noqa: F403
from .ops import __all__  # noqa: F401
