"""The files of samples/ as cases of the battery."""

import importlib
from pathlib import Path

from phi_torch.testing import Case, composite_reference

FOLDER = Path(__file__).parent / "samples"


def names() -> list[str]:
    """The ops that have samples."""
    return sorted(file.stem for file in FOLDER.glob("*.py") if file.stem != "__init__")


def case(op: str, device: str = "cpu") -> Case:
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
