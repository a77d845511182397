"""The traits of operators in the IR, as `traits` of an entry names them, and as C++ does."""

from __future__ import annotations

TRAITS: dict[str, str] = {
    "read_only": "ReadOnly",
    "side_effect": "SideEffect",
    "random": "Random",
    "commutative": "Commutative",
    "elementwise": "Elementwise",
    "constant_like": "ConstantLike",
    "data_dependent_shape": "DataDependentShape",
    "machine_dependent": "MachineDependent",
}
# Paddle's names, without namespace and `Trait`; its other traits say how its own IR is built
_PADDLE = {
    "ReadOnly": "ReadOnly",
    "SideEffect": "SideEffect",
    "UnaryElementWise": "Elementwise",
    "BinaryElementWise": "Elementwise",
}


def is_paddle(name: str) -> bool:
    """`paddle::dialect::ForwardOnlyTrait`."""
    return "::" in name


def cpp_trait(name: str) -> str | None:
    """The value of phi::ir::Trait; None for a trait of Paddle's that means nothing here."""
    if is_paddle(name):
        return _PADDLE.get(name.rpartition("::")[2].removesuffix("Trait"))
    return TRAITS[name]
