"""The tensors of a program in a torch module, by the program's names."""

from __future__ import annotations

from torch import Tensor, nn


def add_tensor(
    module: nn.Module, name: str, tensor: Tensor, is_parameter: bool, trains: bool = True, persistent: bool = True
) -> tuple[nn.Module, str]:
    """`conv2d_0.w_0` becomes `w_0` of a module `conv2d_0`, so that its name in the state is the program's.

    Returns the module that has it, and its name there.
    """
    *path, last = name.split(".")
    for part in path:
        child = module._modules.get(part)
        if child is None:
            child = nn.Module()
            part = _free(module, part)
            module.add_module(part, child)
        module = child
    last = _free(module, last)
    if is_parameter:
        module.register_parameter(last, tensor if isinstance(tensor, nn.Parameter) else nn.Parameter(tensor, trains))
    else:
        module.register_buffer(last, tensor, persistent)
    return module, last


def _free(module: nn.Module, name: str) -> str:
    """`name`, with underscores if a module has something else of that name."""
    name = name or "_"
    while hasattr(module, name):
        name += "_"
    return name
