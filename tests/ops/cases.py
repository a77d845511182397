"""The files of samples/ as cases of the battery."""

import dataclasses
import importlib
from pathlib import Path
from unittest import mock

import pytest
import torch

from phi_torch import registry
from phi_torch.testing import CHECKS, Case, default_reference

FOLDER = Path(__file__).parent / "samples"
CONVOLUTIONS = ("conv2d", "conv2d_transpose", "depthwise_conv2d")  # with kernels that call libraries, and others


def names() -> list[str]:
    """The ops that have samples."""
    return sorted(file.stem for file in FOLDER.glob("*.py") if file.stem != "__init__")


def case(op: str, device: str = "cpu") -> Case:
    """The case of an op on a device."""
    module = importlib.import_module(f"{__package__}.samples.{op}")
    return Case(
        op=op,
        samples=module.SAMPLES,
        reference=getattr(module, "reference", None) or default_reference(op),
        errors=getattr(module, "ERRORS", ()),
        dtypes=getattr(module, "DTYPES", None),
        tolerance=getattr(module, "TOLERANCE", {}),
        layouts=getattr(module, "LAYOUTS", None),
        domain=getattr(module, "DOMAIN", None),
        data_dependent=getattr(module, "DATA_DEPENDENT", False),
        unrolled=getattr(module, "UNROLLED", False),
        device=device,
    )


def on_gpu(op: str, device: str = "cpu") -> Case:
    """The case with the dtypes that have kernels for GPUs; the tensors of an emulated one may be the CPU's.

    Skips the test if the op is made of others.
    """
    found = case(op)
    if not found.has_kernel:
        pytest.skip(f"{op} has no kernel")
    if found.is_composite:
        pytest.skip(f"{op} is its composite, which runs on torch's operators")
    if not found.info.dense:
        pytest.skip(f"{op} takes tensors of strings, which lie on the CPU")
    built = any(kernel.on("cuda") for kernel in registry.kernels(op))
    assert built, f"{op} has no kernel for GPUs; where it came after the emulated one, `make gpu-emulated` compiles it"
    dtypes = [dtype for dtype in found.all_dtypes if registry.supported(op, "cuda", dtype)]
    return dataclasses.replace(found, dtypes=dtypes or found.all_dtypes, device=device)  # a tensor of its own dtype decides


def check(name: str, case: Case) -> None:
    """One check of an op's kernels for GPUs, while an emulated one is in the place of the CPU: `case` is `on_gpu`.

    Left out is what is the same on the CPU: what fake tensors say of results, which is InferMeta's, and second derivatives, which
    are those of the gradient's composite.
    """
    torch.manual_seed(0)
    with mock.patch("phi_torch.testing.values._compare_with_fake"), mock.patch("phi_torch.testing.gradients.gradgradcheck"):
        CHECKS[name](case)


def check_on_device(name: str, op: str, device: str) -> None:
    """The same on a device of an emulated GPU, in a process that has it: where memory lies.

    That does not depend on the dtype, and gradients are compared with the reference's alone, which is quicker than differences.
    """
    torch.manual_seed(0)
    case = on_gpu(op, device)
    with mock.patch("phi_torch.testing.gradients._check_numerically"):
        CHECKS[name](dataclasses.replace(case, dtypes=[case.float_dtype]))
