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
KERNELS = ("squared_difference", "power_mean", "masked_scale")
ops = torch.ops.paddle_style


@pytest.fixture(scope="module", autouse=True)
def library(build_sources):
    sources = [*(HERE / f"{name}_kernel.cc" for name in KERNELS), HERE / "masked_scale_kernel.cu"]
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
