from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

def bind_ir(module: ModuleType) -> None:
    """Defines the classes of phi_torch.ir in a module; ImportError if that was done."""

def kernels(name: str) -> list[tuple[str, str, str, str, int]]:
    """(backend, layout, dtype, file, line) of each kernel registered under a name."""

def kernel_names() -> list[str]:
    """The names under which any loaded library has registered or asked for kernels."""

def take_registration_errors() -> list[str]:
    """What went wrong while libraries registered kernels, since the last call."""

def custom_ops() -> list[dict[str, Any]]:
    """What was declared with PD_BUILD_OP, PD_BUILD_GRAD_OP and PD_BUILD_DOUBLE_GRAD_OP, in all extensions: `namespace`, `name`
    (`relu_grad`), `declared` (`relu`), `order`, `file`, `line`, `schema` with the name, the names of the returned `outputs`,
    `inplace` pairs of an input and the output that overwrites it, `differentiable`."""

def register_kernel(
    name: str,
    key: tuple[str, str, str],
    function: Callable[[list[list[Any]], list[Any], list[list[Any]]], object],
    place: tuple[str, int],
    priority: int,
    override: bool,
) -> Callable[[], None]:
    """Registers `function(inputs, attributes, outputs)`; the result takes that back. Errors wait for their taking."""

def bind_fast_functions(python: Mapping[str, Callable[..., Any]], module: str) -> dict[str, Callable[..., Any]]:
    """The fast function of each name, defined in `module`; what it does not know goes to the function in `python`."""

def bind_fast_op(function: Callable[..., Any], op: Callable[..., Any]) -> Callable[..., Any]:
    """A fast function that gives all results of the operator; what it does not know goes to `op`, torch's own function."""

def trace(call: Callable[[], object]) -> list[dict[str, Any]]:
    """Runs a call without its kernels; what selection did, one record for each operator that it reached."""

def set_string_tensor(cls: type[Any]) -> None:
    """The class of the tensors of strings that kernels make."""

def make_strings(offsets: Any, bytes: Any, sizes: Sequence[int]) -> Any:
    """A tensor of strings on this memory; ValueError if the offsets do not fit."""

def parts_of_strings(tensor: Any) -> tuple[Any, Any]:
    """Its offsets and its bytes."""

def guard_memory(fill: int) -> None:
    """From now on new memory of the CPU lies between guard zones, and each byte of it is `fill`; for tests.

    Raises:
        RuntimeError: it does already, or an allocator of a higher priority serves the CPU.
    """

def stop_guarding_memory() -> None:
    """Memory comes from torch's allocator again."""

def take_memory_faults() -> list[tuple[int, int, int, int]]:
    """(address, size, first, last) of each guarded block outside of which something was written since the last call: the
    first and the last byte, counted from `address`."""

def get_flag(name: str) -> str: ...
def set_flag(name: str, value: str) -> None: ...
def flag_names() -> list[str]: ...
def program_op_types() -> list[str]:
    """The operators of programs that are known."""

def op_info(type: str) -> dict[str, Any] | None:
    """The definition of an operator of programs: its `kernel` and the operators that it is the gradient of (`forward`) and whose
    gradient is its (`grad`), each None where there is none; `inputs` and `outputs` as (name, duplicable, dispensable,
    intermediate, extra); `attrs` as (name, type, default as a C++ literal or None, extra, support_tensor, check or None)."""

def default_signature(type: str) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """(kernel, inputs, attributes, outputs) that follow from an operator's definition alone."""

def base_kernel_name(type: str) -> str:
    """The name of an operator's kernels in the plain case."""

def signatures(type: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]]:
    """All that `map_arguments` may answer for an operator.

    Raises:
        RuntimeError: the operator is unknown, or its mapping function does not declare its answers.
    """

def map_arguments(
    type: str,
    inputs: dict[str, list[str]],
    outputs: dict[str, list[str]],
    attrs: dict[str, tuple[str, Any]],
    infer_shape: bool,
) -> tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """(kernel, inputs, attributes, outputs) for an operator with variables of these kinds in its slots, and attributes as (type,
    value); the kernel is "unregistered" if none is for it.

    Raises:
        RuntimeError: the operator is unknown.
    """

class Scope:
    """The variables of a program that runs in C++, by name: torch tensors, lists of them, or values of Python's."""

    def __contains__(self, name: str) -> bool: ...
    def __getitem__(self, name: str) -> Any: ...
    def __setitem__(self, name: str, value: Any) -> None: ...
    def get(self, name: str, otherwise: Any = None) -> Any: ...
    def update(self, values: dict[str, Any]) -> None: ...
    def clear(self, names: list[str] = ...) -> None:
        """Lets go of the values of these variables, by default of all."""

class Operator:
    """An operator of programs, with slots of variables' names, and attributes as (type, value); `float32` is the number of the data
    type to run in where an attribute says float32."""

    def __init__(
        self,
        type: str,
        inputs: dict[str, list[str]],
        outputs: dict[str, list[str]],
        attrs: dict[str, tuple[str, Any]],
        float32: int = 5,
    ) -> None: ...
    def run(self, scope: Scope, device: Any = None, run_block: Any = None) -> None: ...
    def step(self, scope: Scope, last: list[str]) -> Callable[[Scope], None]:
        """`run`, made for one scope, after which the variables `last` have no value."""
    @property
    def call(self) -> Callable[..., dict[str, Any] | None]:
        """A function of the inputs by slot, and a device: the outputs by slot, of an operator whose variables are named after
        their slots; None where more is asked for than to run a kernel: a gradient, a trace."""
    def misfit(self, kernel: str, inputs: Sequence[str], attrs: Sequence[str], outputs: Sequence[str]) -> str:
        """Why the operator cannot run by this signature; empty if it can."""

def runs_plainly(tensors: list[Any]) -> bool:
    """Whether calls on the tensors would only run kernels: no gradients, graphs, modes or autocast."""

def registered_operators() -> list[str]:
    """The operators without a kernel for which C++ has a class."""

def grad_op(
    type: str, inputs: dict[str, list[str]], outputs: dict[str, list[str]], no_grad: set[str]
) -> tuple[str, dict[str, list[str]], dict[str, list[str]]]:
    """Type, inputs and outputs of the operator that computes the gradients of another one.

    Raises:
        RuntimeError: the operator is unknown.
        NotImplementedError: nothing is its gradient.
    """
