"""The setuptools commands; the metadata is in pyproject.toml, what is compiled and how in phi_torch/_build/."""

import contextlib
import importlib
import importlib.util
import shutil
import sys
from pathlib import Path
from typing import ClassVar

import setuptools
from setuptools import Command, Extension, find_packages, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent

if int(setuptools.__version__.split(".")[0]) < 77:  # --no-build-isolation does not check pyproject.toml's requires
    raise SystemExit(f"error: building needs setuptools >= 77, found {setuptools.__version__}: pip install -U setuptools wheel")


def load_build():
    """phi_torch/_build without phi_torch itself, which needs what is built here."""
    folder = ROOT / "phi_torch" / "_build"
    spec = importlib.util.spec_from_file_location("_build", folder / "__init__.py", submodule_search_locations=[str(folder)])
    module = sys.modules["_build"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = load_build()
COMPILING = {"bdist_wheel", "build", "build_ext", "develop", "dist_info", "editable_wheel", "install"}


@contextlib.contextmanager
def plain_errors():
    try:
        yield
    except build.BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None


class BuildPy(build_py):
    def run(self):
        if not self.editable_mode:  # what an earlier build left there would end up in the wheel
            shutil.rmtree(Path(self.build_lib) / "phi_torch", ignore_errors=True)
        super().run()
        with plain_errors():
            build.generate(ROOT / "phi_torch" if self.editable_mode else Path(self.build_lib).resolve() / "phi_torch")


class BuildExt(build_ext):
    """Builds all libraries with one ninja run; `ext_modules` only tells setuptools that the wheel is not pure."""

    def run(self):
        develop = bool(self.inplace)
        package = ROOT / "phi_torch" if develop else Path(self.build_lib).resolve() / "phi_torch"
        with plain_errors():
            generated = build.generate(package)
            build.build(package, develop=develop, version=self.distribution.get_version(), generated=generated)
        if not develop:
            self.copy_headers(package / "include")

    def copy_headers(self, target):
        for base in build.include_dirs():
            for header in [*base.rglob("*.h"), *base.rglob("*.hpp"), *base.rglob("*.cuh")]:
                copy = target / header.relative_to(base)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(header, copy)

    def get_outputs(self):
        return []

    def get_source_files(self):  # for a source distribution
        return [str(file.relative_to(ROOT)) for file in build.CSRC.rglob("*") if file.is_file()]


class PlainCommand(Command):
    user_options: ClassVar = []

    def initialize_options(self):
        pass

    finalize_options = initialize_options


class Generate(PlainCommand):
    description = "run the code generator; nothing is compiled"

    def run(self):
        with plain_errors():
            build.generate()


class CudaCheck(PlainCommand):
    description = "compile the device code for sm_80 and sm_90; needs nvcc, but no GPU and no CUDA build of torch"

    def run(self):
        with plain_errors():
            importlib.import_module("_build.cuda_check").main()


def torch_requirement():
    """The compiled libraries fit one minor version of torch, and a source distribution every supported one."""
    try:
        return f"torch=={build.dotted(build.version_of(build.torch_module().__version__))}.*"
    except build.BuildError as error:
        if COMPILING & set(sys.argv):
            raise SystemExit(f"error: {error}") from None
        return build.SUPPORTED_TORCH


CODEGEN = ["phi_torch.codegen", *(f"phi_torch.codegen.{name}" for name in find_packages("codegen"))]

setup(
    packages=[*find_packages(include=["phi_torch*"]), *CODEGEN, "phi_torch.yaml", "phi_torch.benchmarks"],
    package_dir={"phi_torch.codegen": "codegen", "phi_torch.yaml": "yaml", "phi_torch.benchmarks": "benchmarks"},
    package_data={
        "phi_torch": ["*.pyi", "py.typed"],
        "phi_torch.codegen": ["templates/**/*"],
        "phi_torch.yaml": ["**/*.yaml", "**/*.json"],
        "phi_torch.benchmarks": ["*.yaml", "*.csv"],
    },
    install_requires=[torch_requirement(), "jinja2>=3.1", "pyyaml>=6"],
    ext_modules=[Extension("phi_torch._C", sources=[])],
    cmdclass={"build_py": BuildPy, "build_ext": BuildExt, "cuda_check": CudaCheck, "generate": Generate},
)
