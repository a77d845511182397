"""Gradient operators out of the tree get what fits the outputs of the operator, or raise before a kernel runs."""

from pathlib import Path

import pytest
import torch

import phi_torch

from ._paddle_calls import SOURCES

HERE = Path(__file__).parent / "extension"


def ones(*shape, **options):
    return torch.ones(shape, **options)


FITTING = {
    "relu_out_grad": lambda: (ones(4), ones(4)),  # by Paddle's rules
    "scaled_tanh_grad": lambda: (ones(2, 3), ones(2, 3), 1.0),  # as the output itself
    "scaled_tanh_grad_grad": lambda: (ones(3), ones(3), ones(3), 1.0),  # twice
    "weighted_sum_grad": lambda: ([ones(2), ones(2)], ones(2), [1.0, 2.0]),  # by the author's functions
    "add_optional_grad": lambda: (ones(3), None, ones(3)),
    "relu_inplace_grad": lambda: (ones(3), ones(3), ones(3)),
    "add_to_list_grad": lambda: ([ones(2), ones(2)], ones(2), [ones(2), ones(2)]),
}
CUSTOM = [
    ("relu_out_grad", {1: ones(2)}, r"'Out_grad': expected the shape \[4\] and data type float32, .* got \[2\]"),
    ("relu_out_grad", {1: ones(4, 0)}, r"'Out_grad': .*got \[4, 0\]"),
    ("relu_out_grad", {1: ones(4).double()}, r"'Out_grad': .*got \[4\] and float64"),
    ("scaled_tanh_grad", {1: ones(3)}, r"'Out_grad': expected the shape \[2, 3\]"),
    ("scaled_tanh_grad_grad", {2: ones(2)}, r"'X_grad_grad': expected the shape \[3\]"),
    ("scaled_tanh_grad_grad", {1: ones(2)}, r"'Out_grad': expected the shape \[3\]"),
    ("weighted_sum_grad", {1: ones(3)}, r"'Out_grad': expected the shape \[2\]"),
    ("add_optional_grad", {2: ones(1)}, r"'Out_grad': expected the shape \[3\]"),
    ("add_optional_grad", {1: ones(3), 2: ones(1)}, r"'Out_grad': expected the shape \[3\]"),
    ("relu_inplace_grad", {1: ones(2)}, r"'Out': expected the shape \[3\]"),
    ("relu_inplace_grad", {2: ones(2)}, r"'Out_grad': expected the shape \[3\]"),
    ("add_to_list_grad", {2: [ones(2)]}, r"'Out_grad': expected 2 tensors"),
    ("add_to_list_grad", {2: [ones(2), ones(3)]}, r"'Out_grad': expected the shape \[2\]"),
    ("add_to_list_grad", {0: []}, r"'Out_grad': expected 0 tensors"),
]


@pytest.fixture(scope="module")
def custom(build_sources):
    build_sources("paddle_ops", SOURCES)
    return torch.ops.paddle_ops


def on(device, value):
    if isinstance(value, list):
        return [on(device, v) for v in value]
    return value.to(device) if isinstance(value, torch.Tensor) else value


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize(("name", "wrong", "message"), CUSTOM)
def test_custom_operators(custom, name, wrong, message, device):
    given = FITTING[name]()
    getattr(custom, name)(*on(device, list(given)))
    with pytest.raises(ValueError, match=f"paddle_ops::{name}: .*argument {message}"):
        getattr(custom, name)(*(on(device, wrong.get(i, value)) for i, value in enumerate(given)))


@pytest.fixture(scope="module")
def tested(cache):
    return phi_torch.load("tested", yaml=HERE / "ops.yaml", sources=[HERE / "ops.h", HERE / "kernels.cc"])


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("softswish_grad", [ones(4), ones(2)]),
        ("softswish_grad", [ones(4), ones(4).double()]),
        ("sum_grad", [ones(2, 3), ones(2, 3), ones(3)]),
        ("sum_grad", [ones(2, 3), ones(2, 3), ones(2, 1)]),
    ],
)
def test_operators_from_yaml(tested, name, given, device):
    with pytest.raises(ValueError, match=f"tested::{name}: .*argument 'out_grad': expected the shape"):
        getattr(torch.ops.tested, name)(*on(device, given))
