"""The build's decisions (which library, which flags, which error) and the checks that run before the libraries load."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from phi_torch import _build, _load
from phi_torch._build import sources, toolchain
from phi_torch._paths import CHECKOUT, codegen_dir, csrc_dir, includes, lib_dir, yaml_dir


@pytest.mark.parametrize(
    ("source", "library"),
    [
        ("core/dense_tensor.cc", "phi_torch"),
        ("torch/registration_0.cc", "phi_torch"),
        ("torch/python/module.cc", "_C"),
        ("torch/gpu/blas.cc", "phi_gpu"),
        ("backends/gpu/gpu_context.cc", "phi_gpu"),
        ("kernels/cpu/scale_kernel.cc", "phi_cpu"),
        ("kernels/reshape_kernel.cc", "phi_cpu"),
        ("primitive/cpu/reduce.cc", "phi_cpu"),
        ("kernels/gpu/scale_kernel.cu", "phi_gpu"),
        ("kernels/gpudnn/conv_kernel.cc", "phi_gpu"),
        ("kernels/sparse/gpu/mask_kernel.cu", "phi_gpu"),
    ],
)
def test_sources_go_to_the_library_of_their_folder(source, library):
    assert sources.library_of(Path(source)) == library


def test_core_library_has_no_python_symbol():
    """It must load into a C++ program without an interpreter (AOTInductor)."""
    libraries = sorted(lib_dir().glob("*.so"))
    assert lib_dir() / "libphi_torch.so" in libraries
    for library in libraries:
        symbols = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True).stdout
        assert [line for line in symbols.splitlines() if line.split()[-1].startswith(("Py", "_Py", "THP"))] == [], library


@pytest.mark.parametrize(("compiled", "running"), [("2.13.0+cpu", "2.12.1"), ("2.11.0", "3.11.0"), ("2.1.0", "2.11.0")])
def test_another_minor_version_of_torch_is_refused(compiled, running):
    with pytest.raises(ImportError, match=rf"(?s){compiled[:3]}.*{running[:3]}.*--no-build-isolation"):
        _load.check_versions(compiled, running)


def test_another_patch_version_of_torch_is_accepted():
    _load.check_versions("2.13.0+cpu", "2.13.1+cu130")


def libraries(*names):
    return [Path(f"libphi_cpu_{name}.so") for name in names]


@pytest.mark.parametrize(
    ("built", "machine", "chosen"),
    [
        (("avx2", "avx512", "default"), "AVX512", "avx512"),
        (("avx2", "avx512", "default"), "AVX2", "avx2"),
        (("avx2", "avx512", "default"), "NO AVX", "default"),
        (("default",), "AVX512", "default"),
    ],
)
def test_the_best_cpu_library_that_the_machine_runs_is_chosen(monkeypatch, built, machine, chosen):
    monkeypatch.delenv("PHI_CPU_CAPABILITY", raising=False)
    assert _load.choose_cpu_library(libraries(*built), machine) == Path(f"libphi_cpu_{chosen}.so")


@pytest.mark.parametrize(
    ("wanted", "built", "machine", "message"),
    [
        (None, ("avx512",), "AVX2", "built for avx512, this machine has avx2"),
        ("avx2", ("avx512",), "AVX512", "only avx512 was built"),
        ("avx512", ("avx2", "avx512"), "AVX2", "this machine has only avx2"),
    ],
)
def test_a_cpu_library_that_would_not_run_is_an_error(monkeypatch, wanted, built, machine, message):
    monkeypatch.delenv("PHI_CPU_CAPABILITY", raising=False)
    if wanted:
        monkeypatch.setenv("PHI_CPU_CAPABILITY", wanted)
    with pytest.raises(ImportError, match=message):
        _load.choose_cpu_library(libraries(*built), machine)


def test_the_environment_chooses_the_cpu_library(monkeypatch):
    monkeypatch.setenv("PHI_CPU_CAPABILITY", "DEFAULT")
    assert _load.choose_cpu_library(libraries("avx2", "default"), "AVX2") == Path("libphi_cpu_default.so")


def test_capabilities_to_build(monkeypatch):
    monkeypatch.delenv("PHI_CPU", raising=False)
    assert len(_build.capabilities(all_of_them=False)) == 1
    monkeypatch.setenv("PHI_CPU", "avx2, default")
    assert _build.capabilities(all_of_them=True) == ["avx2", "default"]
    monkeypatch.setenv("PHI_CPU", "avx3")
    with pytest.raises(_build.BuildError, match=r"unknown capability 'avx3'.*avx512"):
        _build.capabilities(all_of_them=True)


@pytest.mark.skipif(torch.version.cuda is not None, reason="this torch has CUDA")
def test_cuda_cannot_be_forced_on_a_cpu_torch(monkeypatch):
    monkeypatch.setenv("PHI_CUDA", "1")
    with pytest.raises(_build.BuildError, match="built without CUDA"):
        toolchain.with_cuda.__wrapped__()


def test_the_build_names_the_one_command_when_torch_is_missing(tmp_path):
    """As in pip's isolated environment: no traceback, exit status 1."""
    (tmp_path / "torch.py").write_text("raise ImportError('no torch here')\n")
    setup = Path(_build.ROOT) / "setup.py"
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); sys.argv = ['setup.py', '--quiet', 'dist_info'];"
    code += f"__file__ = {str(setup)!r}; exec(compile(open(__file__).read(), __file__, 'exec'))"
    answer = subprocess.run([sys.executable, "-c", code], cwd=_build.ROOT, capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert "pip install --no-build-isolation" in answer.stderr
    assert "Traceback" not in answer.stderr


def test_data_folders_are_found():
    assert (yaml_dir() / "ops.yaml").exists()
    assert (codegen_dir() / "templates").is_dir()
    assert all(folder.is_dir() for folder in [csrc_dir(), lib_dir(), *includes()])
    assert importlib.util.find_spec("phi_torch.codegen.model") is not None


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package")
def test_pyyaml_is_not_hidden_by_our_yaml_folder():
    answer = subprocess.run(
        [sys.executable, "-c", "import yaml; print(yaml.safe_load('[1]'))"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == "[1]"


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package")
def test_nothing_is_compiled_twice(capfd):
    """After a build ninja has nothing left to do; a command that writes its own input would always run again."""
    [folder] = sources.BUILD.glob(f"{sys.implementation.cache_tag}-torch{torch.__version__}")
    _build.run_ninja(folder / "develop.ninja", "-n", "-d", "explain")
    output = capfd.readouterr().out
    assert "no work to do" in output, f"run `make build`:\n{output[:2000]}"
