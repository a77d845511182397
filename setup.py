"""The setuptools commands; the metadata is in pyproject.toml, what is compiled and how in phi_torch/_build/."""

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
from setuptools.command.dist_info import dist_info

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


class BuildPy(build_py):
    def run(self):
        if not self.editable_mode:  # what an earlier build left there would end up in the wheel
            shutil.rmtree(Path(self.build_lib) / "phi_torch", ignore_errors=True)
        super().run()
        with build.plain_errors():
            build.generate(ROOT / "phi_torch" if self.editable_mode else Path(self.build_lib).resolve() / "phi_torch")


class PlainCommand(Command):
    user_options: ClassVar = []

    def initialize_options(self):
        pass

    finalize_options = initialize_options


class Generate(PlainCommand):
    description = "run the code generator; nothing is compiled"

    def run(self):
        with build.plain_errors():
            build.generate()


class CudaCheck(PlainCommand):
    description = "compile the device code for sm_80 and sm_90; needs nvcc, but no GPU and no CUDA build of torch"
    user_options: ClassVar = [("quick", None, "to PTX alone")]
    boolean_options: ClassVar = ["quick"]

    def initialize_options(self):
        self.quick = False

    def run(self):
        with build.plain_errors():
            importlib.import_module("_build.cuda_check").main(self.quick)


class GpuEmulated(PlainCommand):
    description = "compile the code for GPUs with the host's compiler, to be tested on an emulated GPU"

    def run(self):
        with build.plain_errors():
            importlib.import_module("_build.emulated").main()


class Tidy(PlainCommand):
    description = "clang-tidy over the sources of csrc/, or over some of them"
    user_options: ClassVar = [("files=", None, "the sources, with spaces between them")]

    def initialize_options(self):
        self.files = ""

    def run(self):
        with build.plain_errors():
            importlib.import_module("_build.tidy").main(self.files.split())


class CompatCheck(PlainCommand):
    description = "compile what includes torch's headers against those of all supported versions, or of one"
    user_options: ClassVar = [("torch=", None, "the version of torch")]

    def initialize_options(self):
        self.torch = None

    def run(self):
        with build.plain_errors():
            importlib.import_module("_build.compat_check").main([self.torch] if self.torch else [])


def torch_commands():
    """What needs torch: the requirement of the wheel, whose libraries fit minor versions; the extension; the commands.

    Without torch a source distribution can be made, which any supported version compiles.
    """
    try:
        requirement = build.torch_requirement()
    except build.BuildError as error:
        message = f"error: {error}"

        def refuse(command):
            raise SystemExit(message)

        commands = {command.__name__: type("Refused", (command,), {"run": refuse}) for command in (build_ext, dist_info)}
        return build.SUPPORTED_TORCH, Extension("phi_torch._C", sources=[]), commands
    command = importlib.import_module("_build.command")
    return requirement, command.CppExtension("phi_torch._C", sources=[]), {"build_ext": command.BuildLibraries}


CODEGEN = ["phi_torch.codegen", *(f"phi_torch.codegen.{name}" for name in find_packages("codegen"))]

requirement, extension, commands = torch_commands()

setup(
    packages=[*find_packages(include=["phi_torch*"]), *CODEGEN, "phi_torch.yaml", "phi_torch.benchmarks"],
    package_dir={"phi_torch.codegen": "codegen", "phi_torch.yaml": "yaml", "phi_torch.benchmarks": "benchmarks"},
    package_data={
        "phi_torch": ["*.pyi", "py.typed"],
        "phi_torch.codegen": ["templates/**/*"],
        "phi_torch.yaml": ["**/*.yaml", "**/*.json"],
        "phi_torch.benchmarks": ["*.yaml", "*.csv"],
    },
    install_requires=[requirement, "jinja2>=3.1", "pyyaml>=6"],
    ext_modules=[extension],
    cmdclass={
        "build_py": BuildPy,
        "compat_check": CompatCheck,
        "cuda_check": CudaCheck,
        "generate": Generate,
        "gpu_emulated": GpuEmulated,
        "tidy": Tidy,
        **commands,
    },
)
