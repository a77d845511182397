"""The files of samples/ as cases of the battery."""

import dataclasses
import importlib
from pathlib import Path

import pytest

from phi_torch import registry
from phi_torch.testing import Case, composite_reference

FOLDER = Path(__file__).parent / "samples"


def names() -> list[str]:
    """The ops that have samples."""
    return sorted(file.stem for file in FOLDER.glob("*.py") if file.stem != "__init__")


def case(op: str, device: str = "cpu") -> Case:
    """The case of an op on a device; the tensors of an `emulated` one are the CPU's, and its kernels those for GPUs.

    Skips the test if the op has none.
    """
    if device == "emulated":
        found = case(op)
        on_gpu = [dtype for dtype in found.all_dtypes if registry.supported(op, "cuda", dtype)]
        if not found.has_kernel or not on_gpu:
            pytest.skip(f"{op} has no kernel for GPUs")
        return dataclasses.replace(found, dtypes=on_gpu)
    module = importlib.import_module(f"{__package__}.samples.{op}")
    return Case(
        op=op,
        samples=module.SAMPLES,
        reference=getattr(module, "reference", None) or composite_reference(op),
        errors=getattr(module, "ERRORS", ()),
        dtypes=getattr(module, "DTYPES", None),
        tolerance=getattr(module, "TOLERANCE", {}),
        layouts=getattr(module, "LAYOUTS", None),
        data_dependent=getattr(module, "DATA_DEPENDENT", False),
        device=device,
    )
