"""Makes sure that this interpreter has a torch that phi_torch supports: keeps one, or installs the version given."""

import shutil
import subprocess
import sys

OLDEST, NEWEST = (2, 11), (2, 13)
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
    found = installed()
    if found and OLDEST <= tuple(int(part) for part in found.split(".")[:2]) <= NEWEST:
        print(f"torch {found} is there")
        return 0
    print(f"installing torch {wanted}")
    if not shutil.which("nvidia-smi"):  # without a GPU the CPU build: a tenth of the download
        cpu = f"torch=={wanted}+cpu"
        if pip(cpu, quiet=True) or pip(cpu, "--extra-index-url", CPU_INDEX, quiet=True):
            return 0
    return 0 if pip(f"torch=={wanted}") else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
