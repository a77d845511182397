"""The classes of errors that operators raise."""

from torch.linalg import LinAlgError  # type: ignore[attr-defined]  # which torch does not list

OF_INPUT = (ValueError, TypeError, IndexError, NotImplementedError, RuntimeError, LinAlgError)
