"""Kernels that are written as for Paddle, but for their include lines."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
import torch

from phi_torch import _C, _build
from phi_torch._build.flags import system_include_dirs
from phi_torch._build.toolchain import cpp_extension
from phi_torch.testing import Sample, T, check_op

HERE = Path(__file__).parent / "paddle_style"
KERNELS = ("squared_difference", "power_mean", "masked_scale", "set_at")
ops = torch.ops.paddle_style


@pytest.fixture(scope="module", autouse=True)
def library(build_sources):
    sources = [*(HERE / f"{name}_kernel.cc" for name in KERNELS), HERE / "masked_scale_kernel.cu", HERE / "power_mean_sig.cc"]
    assert build_sources("paddle_style", sources, yaml=HERE / "ops.yaml") == []


def squared_difference(x, y):
    return (x - y) ** 2


def power_mean(x, axis=(-1,), p=2.0, epsilon=1e-12, keepdim=False):
    return (x.abs().pow(p).mean(axis, keepdim) + epsilon).pow(1 / p)


def masked_scale(x, mask=None, scale=1.0):
    return scale * x if mask is None else torch.where(mask, scale * x, 0)


def test_battery():
    check_op("paddle_style::squared_difference", [Sample(T(3, 4), T(4))], squared_difference)
    check_op("paddle_style::power_mean", [Sample(T(3, 5)), Sample(T(3, 5), [0], 3.0)], power_mean)
    mask = T(3, 4, dtype=torch.bool)
    check_op("paddle_style::masked_scale", [Sample(T(3, 4), mask, 2.0), Sample(T(3, 4), None, 0.5)], masked_scale)


def test_tensors_as_vectors():
    x = torch.tensor([1.0, 2.0, 3.0])
    assert ops.set_at(x, torch.tensor([2, 0])).tolist() == [1, -1, 3]
    with pytest.raises(IndexError, match="argument 'index': expected less than 3, got 7"):
        ops.set_at(x, torch.tensor([7]))


@pytest.mark.parametrize(
    ("name", "dtypes"),
    [
        ("squared_difference", {"float32", "float64", "int64", "float16", "bfloat16"}),
        ("power_mean", {"float32", "float64", "float16"}),
        ("masked_scale", {"float32", "float64"}),
        ("masked_scale_grad", {"float32", "float64"}),
    ],
)
def test_they_are_registered(name, dtypes):
    assert {dtype for _, _, dtype, _, _ in _C.kernels(f"paddle_style::{name}")} == dtypes


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16])
def test_functor(dtype):
    x, y = torch.randn(3, 4).to(dtype), torch.randn(4).to(dtype)
    torch.testing.assert_close(ops.squared_difference(x, y), (x - y) ** 2, atol=1e-2 if dtype.itemsize == 2 else 1e-6, rtol=2e-2)
    assert ops.squared_difference(x[:0], y).shape == (0, 4)


def test_reduction():
    x = torch.randn(3, 5, dtype=torch.float64)
    torch.testing.assert_close(ops.power_mean(x, [-1], 3.0), x.abs().pow(3).mean(-1).pow(1 / 3))
    with pytest.raises(ValueError, match="argument 'p': expected a positive number, got 0"):
        ops.power_mean(x, [-1], 0.0)


def test_optional_input_and_a_kernel_that_calls_another():
    x, mask = torch.randn(3, 4), torch.rand(3, 4) > 0.5
    torch.testing.assert_close(ops.masked_scale(x, mask, 2.0), torch.where(mask, 2 * x, 0))
    torch.testing.assert_close(ops.masked_scale(x, None, 2.0), 2 * x)
    torch.testing.assert_close(ops.masked_scale(x, mask, 0.0), torch.zeros(3, 4))
    with pytest.raises(ValueError, match=r"argument 'mask': expected the shape of x, \[\[3, 4\]\], got \[\[4\]\]"):
        ops.masked_scale(x, mask[0], 2.0)


@pytest.mark.slow
@pytest.mark.skipif(_build.find_nvcc() is None, reason="nvcc was not found")
def test_a_gpu_kernel_compiles():
    includes = [*_build.include_dirs(), *map(Path, system_include_dirs(cuda=True))]
    flags = [*cpp_extension().COMMON_NVCC_FLAGS, "--expt-extended-lambda", *_build.common_flags(), "-DPHI_WITH_CUDA"]
    command = [_build.find_nvcc(), "-fatbin", "-arch=sm_80", *flags, *(f"-I{path}" for path in includes)]
    subprocess.run([*command, HERE / "masked_scale_kernel.cu", "-o", os.devnull], check=True)


def mapped(op, inputs, attrs=None):
    kinds = {slot: [kind] for slot, kind in inputs.items()}
    return _C.map_arguments(op, kinds, {"Out": ["dense_tensor"]}, attrs or {}, False)


def test_a_function_maps_an_operator_of_programs():
    rest, dense = ("p", "epsilon", "keep_dim"), {"X": "dense_tensor"}
    assert _C.base_kernel_name("power_mean_v2") == "power_mean"
    power = ("power_mean", ("X",), ("axis", *rest), ("Out",))
    assert mapped("power_mean_v2", dense, {"norm": ("INT", 3)}) == power
    assert mapped("power_mean_v2", dense, {"norm": ("INT", 2)}) == ("root_mean_square", *power[1:])
    with_tensor = ("power_mean", ("X",), ("AxisTensor", *rest), ("Out",))
    assert mapped("power_mean_v2", {**dense, "AxisTensor": "dense_tensor"}, {"norm": ("INT", 2)}) == with_tensor
    assert mapped("power_mean_v2", {"X": "selected_rows"})[0] == "unregistered"
    assert _C.signatures("power_mean_v2") == [with_tensor, power, ("root_mean_square", *power[1:])]
    with pytest.raises(RuntimeError, match="no attribute 'norm'"):
        mapped("power_mean_v2", dense)
    with pytest.raises(ValueError, match="'power_mean_v2' has an attribute of another type"):
        mapped("power_mean_v2", dense, {"norm": ("STRING", "2")})


def test_rows_map_an_operator_of_programs():
    plain = ("masked_scale", ("X", "Mask"), ("scale",), ("Out",))
    assert mapped("masked_scale_v2", {"X": "dense_tensor"}) == plain
    given = {"X": "dense_tensor", "ScaleTensor": "dense_tensor"}
    assert mapped("masked_scale_v2", given) == ("masked_scale", ("X", "Mask"), ("ScaleTensor",), ("Out",))
    assert mapped("masked_scale_v2", {"X": "selected_rows"})[0] == "masked_scale_sr"
    assert mapped("masked_scale_v2", {"X": "sparse_coo"})[0] == "unregistered"


def test_an_operator_that_nothing_maps():
    with pytest.raises(RuntimeError, match="no operator of programs has the name 'power_mean_v3'"):
        mapped("power_mean_v3", {"X": "dense_tensor"})
    with pytest.raises(RuntimeError, match="no operator of programs has the name 'power_mean_v3'"):
        _C.signatures("power_mean_v3")
