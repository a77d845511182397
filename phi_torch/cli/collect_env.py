"""`collect-env`: what a bug report needs."""

from __future__ import annotations

import argparse
import os
import platform

import torch

import phi_torch

from .. import _build_info
from .._op_table import OPS, SOURCE_HASH


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(options: argparse.Namespace) -> int:
    rows = {
        "phi_torch": phi_torch.__version__,
        "built for torch": ", ".join([_build_info.torch_version, *_build_info.bridges]),
        "torch": torch.__version__,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "cpu": f"{torch.backends.cpu.get_cpu_capability()}, {os.cpu_count()} cores, {torch.get_num_threads()} threads",
        "cpu kernels": ", ".join(_build_info.cpu_capabilities),
        "cuda": f"built for {_build_info.cuda or 'none'}, torch has {torch.version.cuda or 'none'}",
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else "none",
        "operators": str(sum(not op.is_backward for op in OPS.values())),
        "yaml": SOURCE_HASH,
        "flags": str(phi_torch.flags),
        "environment": ", ".join(f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith("PHI_")) or "none",
    }
    for key, value in rows.items():
        print(f"{key + ':':17}{value}")
    return 0
