"""`python -m phi_torch new`: what it writes is right but for what it leaves to do, and that cannot be overlooked."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import phi_torch
from codegen.emit.kernels import kernels
from codegen.load import load, own_ops
from phi_torch import _build
from phi_torch._build.flags import CPU_FLAGS
from phi_torch.cli import main

FORMS = {
    "unary": [],
    "unary_attrs": ["--attr", "beta:float=1.0", "--attr", "by:Scalar=2", "--backward"],
    "unary_composite": ["--composite", "x * sigmoid(x)"],
    "binary": ["--category", "binary"],
    "binary_backward": ["--category", "binary", "--attr", "alpha:float=1.0", "--backward"],
    "reduction": ["--category", "reduction", "--backward"],
    "general": ["--category", "general", "--attr", 'mode:str="mean"', "--attr", "steps:int[]={1, 2}", "--gpu"],
    "general_inputs": ["--category", "general", "--input", "x", "--input", "weight", "--attr", "by:int", "--backward"],
    "mixed": [
        *("--category", "general", "--input", "ids:int64", "--input", "x", "--input", "xs:Tensor[]", "--input", "bias:Tensor?"),
        *(
            "--input",
            "mask:bool?",
            "--output",
            "out",
            "--output",
            "count:int32",
            "--output",
            "rest",
            "--attr",
            "by:int",
            "--backward",
        ),
    ],
    "composite": ["--category", "general", "--no-kernel", "--attr", "n:int", "--composite", "x.reshape([-1]) if n == 1 else x"],
}
# what does not compile, and what raises when it is called
TODO = re.compile(
    r'^(?:#error|  PADDLE_THROW\(errors::Unimplemented\()\s*"TODO in (\S+): .*, then delete this line.*\n', re.MULTILINE
)


def options(form: str) -> list[str]:
    return ["new", form, *FORMS[form]]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout without operators: new ones are added, and nothing of the real one is touched."""
    (tmp_path / "csrc" / "infermeta").mkdir(parents=True)
    for name in ("ops/activation", "ops/math", "ops/reduce", "backward/activation", "backward/math"):
        file = tmp_path / "yaml" / f"{name}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# operators\n")
    monkeypatch.setattr("phi_torch.cli.new.CHECKOUT", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def errors(yaml: list[Path], sources: list[Path]) -> str:
    return load(yaml, base=own_ops(), sources=sources)[1].render()


def compile_error(source: Path, *include: Path) -> str:
    flags = [
        *(f"-I{folder}" for folder in include),
        *_build.cxx_flags(),
        *CPU_FLAGS["avx2"],
        "-Wno-unused-variable",
        "-fsyntax-only",
    ]
    return subprocess.run(["g++", *flags, str(source)], capture_output=True, text=True, check=False).stderr


def fill_in(file: Path) -> list[str]:
    """Does what is left to do, in the simplest way; the files that the TODOs name."""
    text = file.read_text()
    file.write_text(TODO.sub("", text))
    return TODO.findall(text)


@pytest.mark.parametrize("form", FORMS)
def test_in_tree(form: str, tree: Path, capsys: pytest.CaptureFixture[str]):
    assert main(options(form)) == 0
    kernels = sorted(file for file in tree.rglob("*") if file.suffix in (".h", ".cc", ".cu"))
    written = [tree / line.split()[-1] for line in capsys.readouterr().out.splitlines() if line.startswith(("wrote", "added to"))]
    samples = tree / "tests" / "ops" / "samples" / f"{form}.py"
    assert set(written) >= {*kernels, samples} and all(file.exists() for file in written)
    assert errors(sorted((tree / "yaml").rglob("*.yaml")), [tree / "csrc"]) == ""
    for file in kernels:
        assert all(place == file.relative_to(tree).as_posix() for place in fill_in(file))
    assert "raise NotImplementedError" in samples.read_text()
    compile(samples.read_text(), samples, "exec")


@pytest.mark.parametrize("form", ["unary_attrs", "reduction"])
def test_kernels_compile_when_their_todo_is_gone(form: str, tree: Path):
    """With the registration that is generated for them."""
    assert main(options(form)) == 0
    opset = load(sorted((tree / "yaml").rglob("*.yaml")))[0]
    for name, text in kernels.emit(opset, "").items():
        (tree / "generated" / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / "generated" / name).write_text(text)
    check_compilation(tree / "generated" / "kernels" / "cpu" / f"{form}_kernel.cc", tree / "csrc", tree / "generated")


def check_compilation(source: Path, *include: Path) -> None:
    before = compile_error(source, *include)
    todo, errors = (len(re.findall(pattern, before)) for pattern in (r'error: #error "TODO in \S+:', r"error: "))
    assert todo == errors, before
    for folder in {source.parent, *include}:
        for file in (f for f in folder.rglob("*") if f.is_file()):
            fill_in(file)
    assert compile_error(source, *include) == ""


@pytest.mark.parametrize("form", FORMS)
def test_out_of_tree(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "mine"
    assert main([*[o for o in options(form) if o != "--gpu"], "--dir", str(folder)]) == 0
    sources = [file for file in (folder / f"{form}.h",) if file.exists()]
    assert len(sources) == ("--no-kernel" not in FORMS[form])
    assert main(["check", str(folder / f"{form}.yaml"), *map(str, sources)]) == 0, capsys.readouterr().err
    text = (folder / f"test_{form}.py").read_text()
    compile(text, form, "exec")
    assert "raise NotImplementedError" in text
    listed = ", ".join(f'"{file.name}"' for file in sources)
    assert f'phi_torch.load("{form}", yaml="{form}.yaml", sources=[{listed}])' in (folder / "README.md").read_text()
    assert all(name == file.name for file in sources for name in fill_in(file))


@pytest.mark.slow
def test_a_library_works_when_it_is_filled_in(tmp_path: Path):
    """Without its kernel it does not compile, without its reference its test fails."""

    def output_of_test() -> str:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_fade.py"]
        environment = {**os.environ, "PHI_TORCH_CACHE": str(tmp_path / "cache")}
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment).stdout

    assert main(["new", "fade", "--attr", "by:float=0.5", "--composite", "x * by", "--dir", str(tmp_path)]) == 0
    assert "TODO in fade.h: return what one element becomes" in output_of_test()
    header, test = tmp_path / "fade.h", tmp_path / "test_fade.py"
    fill_in(header)
    header.write_text(header.read_text().replace("return x;", "return by * x;"))
    assert "NotImplementedError: write what fade computes" in output_of_test()
    test.write_text(re.sub(r"raise NotImplementedError.*", "return x * by", test.read_text()))
    printed = output_of_test()
    assert "1 passed" in printed, printed


def test_a_general_library_compiles_and_says_what_is_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Shapes and dtypes are known, eager and on Meta; kernels say where to write."""
    monkeypatch.setenv("PHI_TORCH_CACHE", str(tmp_path / "cache"))
    assert main([*options("mixed"), "--dir", str(tmp_path)]) == 0
    library = phi_torch.load("mixed", yaml=tmp_path / "mixed.yaml", sources=[tmp_path / "mixed.h"], cxx_flags=["-O0"])
    ids, x = torch.zeros(2, 3, dtype=torch.int64), torch.randn(2, 3)
    for bias in (None, x):
        with pytest.raises(NotImplementedError, match=r"TODO in mixed\.h: compute out, count, rest, then delete this line"):
            library.mixed(ids, x, [x, x], bias, None, 1)
        outputs = library.mixed(*(t if t is None else t.to("meta") for t in (ids, x)), [x.to("meta")], None, None, 1)
        assert [(t.shape, t.dtype) for t in outputs] == [(x.shape, t) for t in (torch.float32, torch.int32, torch.float32)]
    with pytest.raises(TypeError, match=r"argument 'ids': expected data type int64, got float32"):
        library.mixed(x, x, [x], None, None, 1)
    with pytest.raises(ValueError, match=r"argument 'xs': expected at least one tensor"):
        library.mixed(ids, x, [], None, None, 1)
    with pytest.raises(NotImplementedError, match=r"compute x_grad, xs_grad, bias_grad, then delete this line"):
        torch.ops.mixed.mixed_grad(ids, x, [x], None, None, x, x, 1)
    gradients = torch.ops.mixed.mixed_grad(*(t.to("meta") for t in (ids, x)), [x.to("meta")], None, None, *[x.to("meta")] * 2, 1)
    assert gradients[0].shape == gradients[1][0].shape == x.shape and gradients[2] is None


def test_outside_of_the_checkout_a_library_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "frob"]) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["README.md", "frob.h", "frob.yaml", "test_frob.py"]


def test_nothing_is_overwritten(tree: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["new", "frob"]) == 0
    before = {file: file.read_bytes() for file in tree.rglob("*") if file.is_file()}
    assert main(["new", "frob"]) == 1
    assert "exists already; nothing was written" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in tree.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["relu"], 1, "there is an operator 'relu' already, at "),
        (["frob", "--attr", "beta"], 1, "expected name:type or name:type=default, such as beta:float=1.0"),
        (["frob", "--attr", "mode:str"], 1, "an elementwise functor takes numbers; use --category general"),
        (["frob", "--attr", "beta:flot=1"], 1, "unknown type 'flot'; did you mean 'float'?"),
        (["frob", "--attr", "beta:flaot=1.0", "--category", "general"], 1, "unknown type 'flaot'; did you mean 'float'?"),
        (["frob", "--attr", "n:int=1.5"], 2, "default '1.5' of 'n' in 'frob' does not fit type int"),
        (["frob", "--composite", "x * sigmod(x)"], 2, "did you mean 'sigmoid'?"),
        (["frob", "--input", "a"], 1, "the inputs of category unary are x"),
        (["frob", "--output", "a"], 1, "its output is out; use --category general"),
        (["frob", "--category", "general", "--input", "x:int46"], 1, "unknown type 'int46'; did you mean 'int64'?"),
        (["frob", "--category", "general", "--input", "x:[]"], 1, "name:type such as ids:int64, xs:Tensor[] or bias:Tensor?"),
        (["frob", "--category", "general", "--input", "x:Tensor?"], 1, "all inputs are optional"),
        (["frob", "--category", "general", "--output", "x:Tensor[]"], 1, "write lists and optional outputs by hand"),
        (["frob", "--category", "general", "--input", "x:int64", "--backward"], 1, "must be of floating point to have a gradient"),
        (["frob", "--no-kernel"], 1, "--no-kernel needs --composite"),
        (["Frob"], 2, "'Frob' is no name for an op"),
        (["frob", "--gpu"], 1, "is for both devices"),
    ],
)
def test_what_cannot_be_made(arguments, status, message, tree: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["new", *arguments]) == status
    assert message in capsys.readouterr().err
    assert [path.name for path in (tree / "csrc").rglob("*")] == ["infermeta"]
