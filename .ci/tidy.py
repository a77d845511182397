"""`make tidy`: clang-tidy over sources of csrc/, with the checks of .clang-tidy. FILES names some; default: all but device code."""

import importlib.util
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import clang_tidy

ROOT = Path(__file__).resolve().parents[1]
OF_GCC = ("--param", "ggc-min-heapsize=", "-fopenmp")  # flags that clang does not know, and a header that it lacks


def load_build():
    """phi_torch/_build without phi_torch itself, which needs what is built."""
    folder = ROOT / "phi_torch" / "_build"
    spec = importlib.util.spec_from_file_location("_build", folder / "__init__.py", submodule_search_locations=[str(folder)])
    module = sys.modules["_build"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(files: list[str]) -> int:
    build = load_build()
    sources = [Path(f) for f in files] or [f for f in sorted(build.CSRC.rglob("*.cc")) if not {"gpu", "gpudnn"} & set(f.parts)]
    flags = [f for f in build.cxx_flags() if not f.startswith(OF_GCC)]
    flags += ["-x", "c++", "-DCPU_CAPABILITY=DEFAULT", "-DCPU_CAPABILITY_DEFAULT"]
    failed = 0

    def check(source: Path) -> subprocess.CompletedProcess[str]:
        command = [clang_tidy.get_executable("clang-tidy"), "--quiet", source, "--", *flags]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    with ThreadPoolExecutor(int(os.environ.get("MAX_JOBS", os.cpu_count() or 1))) as pool:
        for source, done in zip(sources, pool.map(check, sources)):
            if done.returncode:
                failed += 1
                print(f"{source.relative_to(ROOT) if source.is_absolute() else source}:", done.stdout or done.stderr, flush=True)
    print(f"tidy: {len(sources)} files, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
