from collections.abc import Callable
from typing import Any

def kernels(name: str) -> list[tuple[str, str, str, str, int]]:
    """(backend, layout, dtype, file, line) of each kernel registered under a name."""

def kernel_names() -> list[str]:
    """The names under which any loaded library has registered or asked for kernels."""

def take_registration_errors() -> list[str]:
    """What went wrong while libraries registered kernels, since the last call."""

def register_kernel(
    name: str,
    key: tuple[str, str, str],
    function: Callable[[list[list[Any]], list[Any], list[list[Any]]], object],
    place: tuple[str, int],
    priority: int,
    override: bool,
) -> Callable[[], None]:
    """Registers `function(inputs, attributes, outputs)`; the result takes that back. Errors wait for their taking."""

def bind_fast_functions(python: dict[str, Callable[..., Any]], module: str) -> dict[str, Callable[..., Any]]:
    """The fast function of each name, defined in `module`; what it does not know goes to the function in `python`."""

def trace(call: Callable[[], object]) -> list[dict[str, Any]]:
    """Runs a call without its kernels; what selection did, one record for each operator that it reached."""

def get_flag(name: str) -> str: ...
def set_flag(name: str, value: str) -> None: ...
def flag_names() -> list[str]: ...
