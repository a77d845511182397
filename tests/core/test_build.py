"""The build's decisions (which library, which flags, which error) and the checks that run before the libraries load."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest
import torch

from phi_torch import _build, _load
from phi_torch._build import bridges, extension, generating, grouping, ninja, other_torch, sources, toolchain
from phi_torch._build import includes as includes_module
from phi_torch._build import libraries as libraries_module
from phi_torch._paths import CHECKOUT, codegen_dir, csrc_dir, includes, lib_dir, yaml_dir


@pytest.mark.parametrize(
    ("source", "library"),
    [
        ("core/dense_tensor.cc", "phi_core"),
        ("api/op_site.cc", "phi_core"),
        ("torch/registration_0.cc", "phi_torch"),
        ("torch/python/module.cc", "_C"),
        ("torch/gpu/blas.cc", "phi_gpu"),
        ("backends/gpu/gpu_context.cc", "phi_gpu"),
        ("kernels/cpu/scale_kernel.cc", "phi_cpu"),
        ("kernels/reshape_kernel.cc", "phi_cpu"),
        ("primitive/cpu/reduce.cc", "phi_cpu"),
        ("kernels/gpu/scale_kernel.cu", "phi_gpu"),
        ("kernels/library/gpudnn/convolution.cc", "phi_gpu"),
        ("kernels/library/onednn/convolution.cc", "phi_cpu"),
        ("kernels/sparse/gpu/mask_kernel.cu", "phi_gpu"),
    ],
)
def test_sources_go_to_the_library_of_their_folder(source, library):
    assert grouping.library_of(Path(source)) == library


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
        _load.bridge_folder(compiled, {"2.14": "torch2.14"}, running)


@pytest.mark.parametrize(("running", "folder"), [("2.13.1+cu130", ""), ("2.14.1", "torch2.14"), ("2.14.0+cpu", "torch2.14")])
def test_the_bridge_of_the_running_torch_is_taken(running, folder):
    assert _load.bridge_folder("2.13.0+cpu", {"2.14": "torch2.14"}, running) == folder


@pytest.mark.parametrize(
    ("named", "requirement"),
    [
        ("", "torch==2.13.*"),
        ("2.13.0", "torch==2.13.*"),
        ("2.12.1, 2.14.1", "torch>=2.12,<2.15"),
        ("2.15.0,2.11.0", "torch>=2.11,<2.16,!=2.12.*,!=2.14.*"),
    ],
)
def test_a_wheel_says_which_versions_of_torch_it_serves(monkeypatch, named, requirement):
    monkeypatch.setenv("PHI_TORCH", named)
    monkeypatch.setattr(bridges, "torch_module", lambda: types.SimpleNamespace(__version__="2.13.0+cpu"))
    assert bridges.torch_requirement() == requirement


@pytest.mark.parametrize("named", ["2.12", "2.10.0", "2.16.0", "2.12.1;2.14.1"])
def test_a_version_of_torch_that_is_none_is_refused(monkeypatch, named):
    monkeypatch.setenv("PHI_TORCH", named)
    with pytest.raises(toolchain.BuildError, match=r"PHI_TORCH=.*from 2\.11 to 2\.15 in full"):
        bridges.further_versions()


def test_a_trimmed_build_serves_one_torch(monkeypatch, tmp_path):
    monkeypatch.setenv("PHI_TORCH", "2.11.0,2.15.0")
    with pytest.raises(toolchain.BuildError, match="PHI_OPS"):
        bridges.build_bridges([], tmp_path, trimmed=True)


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
    assert (yaml_dir() / "ops" / "math.yaml").exists()
    assert (codegen_dir() / "templates").is_dir()
    assert all(folder.is_dir() for folder in [csrc_dir(), lib_dir(), *includes()])
    assert importlib.util.find_spec("codegen.model") is not None


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package")
def test_nothing_is_compiled_twice(capfd):
    """After a build ninja has nothing left to do; a command that writes its own input would always run again."""
    [folder] = sources.BUILD.glob(f"{sys.implementation.cache_tag}-torch{torch.__version__}")
    _build.run_ninja(folder / "develop.ninja", "-n", "-d", "explain")
    output = capfd.readouterr().out
    assert "no work to do" in output, f"run `make build`:\n{output[:2000]}"


def test_a_build_that_is_older_than_its_sources_is_known(tmp_path):
    file, source = tmp_path / "build.ninja", tmp_path / "source"
    file.write_text("rule copy\n  command = cp $in $out\nbuild made: copy source\n")
    source.write_text("1")
    assert not ninja.is_current(file)
    _build.run_ninja(file)
    assert ninja.is_current(file)
    os.utime(source, ns=(1 << 62, 1 << 62))
    assert not ninja.is_current(file)


def test_supported_versions_are_said_everywhere():
    versions = f"{toolchain.dotted(toolchain.OLDEST_TORCH)} to {toolchain.dotted(toolchain.NEWEST_TORCH)}"
    for name in ("README.md", "Makefile"):
        assert versions in (_build.ROOT / name).read_text().replace("\n", " "), name
    checked = [toolchain.version_of(version) for version in other_torch.VERSIONS]
    assert checked == [(2, minor) for minor in range(toolchain.OLDEST_TORCH[1], toolchain.NEWEST_TORCH[1] + 1)]


@pytest.mark.parametrize(
    ("version", "status", "message"),
    [
        ("2.13.1+cu130", 0, "is there\n"),
        ("3.0.0", 0, "newer than what is tested"),
        ("2.9.0", 1, r"needs torch >= 2\.11.*pip install"),
    ],
)
def test_set_up_never_replaces_a_torch(tmp_path, version, status, message):
    (tmp_path / "torch.py").write_text(f"__version__ = {version!r}\n")
    (tmp_path / "pip.py").write_text("print('pip was called')\n")
    command = [sys.executable, str(_build.ROOT / ".ci/install_torch.py"), "2.13.0"]
    answer = subprocess.run(command, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert answer.returncode == status and re.search(message, answer.stdout), answer
    assert "pip was called" not in answer.stdout


def test_a_newer_torch_is_taken_with_a_warning(monkeypatch, capsys):
    monkeypatch.setattr(torch, "__version__", "3.1.0")
    toolchain.torch_module.__wrapped__()
    assert "warning: phi_torch is tested up to torch" in capsys.readouterr().out


def compile_tiny(root: Path) -> None:
    """A library of one source, which includes a header, with all flags of ours."""
    library = libraries_module.Library("tiny", "lib/libtiny.so", (root / "src/tiny.cc",), (f"-I{root}/include", "-O0"), ())
    libraries_module.compile_libraries([library], root / "build", root / "package", develop=True, root=root)


def test_what_was_moved_or_copied_is_not_compiled_again(tmp_path, capfd):
    first, copied, moved = (tmp_path / name for name in ("a folder", "copied", "moved"))
    (first / "src").mkdir(parents=True)
    (first / "include").mkdir()
    (first / "src/tiny.cc").write_text("#include <tiny.h>\nint tiny() { return TINY; }\n")
    (first / "include/tiny.h").write_text("#define TINY 1\n")
    compile_tiny(first)
    shutil.copytree(first, copied)
    capfd.readouterr()
    compile_tiny(copied)
    assert "no work to do" in capfd.readouterr().out
    copied.rename(moved)
    compile_tiny(moved)
    assert "no work to do" in capfd.readouterr().out
    (moved / "include/tiny.h").write_text("#define TINY 2\n")
    shutil.rmtree(first)
    compile_tiny(moved)
    assert "tiny: " in capfd.readouterr().out


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package")
def test_the_build_names_no_absolute_path_of_the_checkout():
    [folder] = sources.BUILD.glob(f"{sys.implementation.cache_tag}-torch{torch.__version__}")
    assert [line for line in (folder / "develop.ninja").read_text().splitlines() if str(_build.ROOT) in line] == []


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package")
def test_each_source_is_compiled_once(tmp_path):
    elsewhere = tmp_path / "of_a_test.cu"  # as the emulated GPU has
    for library, files in grouping.group_sources(generating.generate().files).items():
        compiled = grouping.together([*files, elsewhere])
        groups = [file for file in compiled if file.stem.startswith("together_")]
        names = [name for group in groups for name in includes_module.names(group)]
        single = [file for file in compiled if file not in groups]
        found = [next(base / name for base in (sources.GENERATED, sources.CSRC) if (base / name).exists()) for name in names]
        assert sorted([*found, *single]) == sorted([*files, elsewhere]), library
        assert groups or library == grouping.EMULATED


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package")
def test_a_group_of_kernels_goes_to_the_compiler_that_its_files_need():
    kernels = grouping.group_sources(generating.generate().files)["phi_gpu"]
    groups = [file for file in grouping.together(kernels) if file.stem.startswith("together_")]
    for group in groups:
        files = [sources.GENERATED / name for name in includes_module.names(group)]
        assert includes_module.needs_nvcc(group) == any(map(includes_module.needs_nvcc, files)), group
    assert any(map(includes_module.needs_nvcc, groups))


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package")
def test_the_generated_code_of_a_small_extension_is_compiled_as_one(tmp_path):
    root = _build.ROOT / "examples/my_ops"
    described = extension.Extension("my_ops", (root / "ops.yaml",), (*root.glob("csrc/*.h"), *root.glob("csrc/*.cc")))
    generated = extension.generate(described, tmp_path, tmp_path)
    own = {file for file in described.sources if file.suffix == ".cc"}
    for group, files in extension.sources(described, generated).items():
        assert len(set(files) - own) <= 1, f"{group}: more files are generated than extension.UNITY: {files}"


@pytest.mark.skipif(CHECKOUT is None, reason="an installed package")
def test_the_build_of_an_extension_names_no_absolute_path_of_it(tmp_path, monkeypatch):
    class Stop(Exception):
        pass

    def stop(*arguments, **options):
        raise Stop

    root = tmp_path / "my_ops"
    shutil.copytree(_build.ROOT / "examples/my_ops", root, ignore=shutil.ignore_patterns("build", "ops", "*.egg-info"))
    monkeypatch.setattr(libraries_module, "run_ninja", stop)
    described = extension.Extension("my_ops", (root / "ops.yaml",), (*root.glob("csrc/*.h"), *root.glob("csrc/*.cc")))
    with pytest.raises(Stop):
        extension.build(described, root / "package", root / "build", develop=True, root=root)
    files = [file for file in root.glob("build/**/*") if file.suffix in (".h", ".cc", ".ninja")]
    assert len(files) > 4
    assert [file for file in files if str(root) in file.read_text()] == []
    (ninja_file,) = [file for file in files if file.suffix == ".ninja"]
    assert "-fmacro-prefix-map=../=" in ninja_file.read_text()  # messages name csrc/softswish.h
