"""Markers: `gpu` needs a CUDA device, `emulated` the library of `make gpu-emulated`, `oracle` an installed PaddlePaddle,
`huge` and `orders` run where -m says so.

With PHI_REQUIRE_ORACLE=1 the tests that need PaddlePaddle fail without it, and with PHI_REQUIRE_EMULATED=1 those of the
emulated GPU.
"""

import fcntl
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

if "PYTEST_XDIST_WORKER" in os.environ:  # a thread that waits leaves its core to the other workers
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import emulated.device
import pytest
import torch
from cpp_units import Once

if "PYTEST_XDIST_WORKER" in os.environ:  # the workers share the cores; two threads still cross parallel_for's border
    torch.set_num_threads(2)
torch.backends.cudnn.allow_tf32 = False  # float32 is compared with float64


@pytest.fixture
def set_threads() -> Iterator[Callable[[int], None]]:
    """set_threads(n) holds until the test ends."""
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """once(name, make) is what `make` returns for a folder of its own: one of a run's workers makes it, the others wait."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, make: Callable[[Path], Path]) -> Path:
        folder, result = shared / name, shared / f"{name}.made"
        with (shared / f"{name}.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            if not result.exists():
                folder.mkdir(exist_ok=True)  # from a worker in which it failed
                result.write_text(str(make(folder)))
        return Path(result.read_text())

    return made


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: needs a CUDA device and a build with GPU kernels; skipped without")
    config.addinivalue_line("markers", "emulated: runs code for GPUs on an emulated one; skipped before `make gpu-emulated`")
    config.addinivalue_line("markers", "oracle: compares with a live PaddlePaddle; skipped without")
    config.addinivalue_line("markers", "slow: takes more than ten seconds; left out by -m 'not slow'")
    config.addinivalue_line("markers", "huge: takes gigabytes of memory; runs with -m huge alone")
    config.addinivalue_line("markers", "orders: each order of an emulated GPU's threads; runs with -m emulated, or -m orders alone")


def is_emulated(item: pytest.Item) -> bool:
    return item.get_closest_marker("emulated") is not None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    import phi_torch._build_info
    from phi_torch import _oracle

    lacking = {}
    if not torch.cuda.is_available():
        lacking["gpu"] = "no CUDA device"
    elif phi_torch._build_info.cuda is None:
        lacking["gpu"] = "phi_torch is built without GPU kernels"
    if not emulated.device.LIBRARY.exists() and not os.environ.get("PHI_REQUIRE_EMULATED"):
        lacking["emulated"] = "`make gpu-emulated` has not run"
    elif emulated.device.LIBRARY.exists() and any(map(is_emulated, items)) and not emulated.device.is_current():
        old = "the emulated GPU is older than its sources, and tests what they were: `make gpu-emulated` compiles them"
        if os.environ.get("PHI_REQUIRE_EMULATED"):
            raise pytest.UsageError(old)
        warnings.warn(pytest.PytestWarning(old), stacklevel=1)
    if _oracle.python() is None and not os.environ.get("PHI_REQUIRE_ORACLE"):
        lacking["oracle"] = "no PaddlePaddle: `make oracle-env` installs it, or PHI_PADDLE_PYTHON names an interpreter that has it"
    for item in items:
        for marker, reason in lacking.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
