"""Makes sure that this interpreter has a torch: keeps the one that is there, or installs the version given."""

import runpy
import shutil
import subprocess
import sys
from pathlib import Path

TOOLCHAIN = runpy.run_path(str(Path(__file__).resolve().parents[1] / "phi_torch/_build/toolchain.py"))
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def installed() -> str | None:
    try:
        import torch
    except ImportError:
        return None
    return str(torch.__version__)


def pip(*arguments: str, quiet: bool = False) -> bool:
    output = subprocess.DEVNULL if quiet else None
    return subprocess.call([sys.executable, "-m", "pip", "install", *arguments], stdout=output, stderr=output) == 0


def main(wanted: str) -> int:
    if found := installed():
        oldest, newest = (TOOLCHAIN["dotted"](TOOLCHAIN[name]) for name in ("OLDEST_TORCH", "NEWEST_TORCH"))
        version = TOOLCHAIN["version_of"](found)
        if version < TOOLCHAIN["OLDEST_TORCH"]:  # not replaced: it may be what another program needs
            print(f"error: phi_torch needs torch >= {oldest}, and {sys.executable} has {found}: {TOOLCHAIN['INSTALL_TORCH']}")
            return 1
        print(f"torch {found} is there" + (f", newer than what is tested ({newest})" * (version > TOOLCHAIN["NEWEST_TORCH"])))
        return 0
    print(f"installing torch {wanted}")
    if not shutil.which("nvidia-smi"):  # without a GPU the CPU build: a tenth of the download
        cpu = f"torch=={wanted}+cpu"
        if pip(cpu, quiet=True) or pip(cpu, "--extra-index-url", CPU_INDEX, quiet=True):
            return 0
    return 0 if pip(f"torch=={wanted}") else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
