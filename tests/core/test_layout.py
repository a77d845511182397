"""The rules of docs and design that a compiler does not check: folders, includes, lengths, and the README's commands."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOP_LEVEL = {
    *("setup.py", "phi_torch", "csrc", "yaml", "codegen", "tests", "README.md"),
    *("pyproject.toml", "Makefile", "LICENSE", "docs", "examples", "benchmarks", ".ci"),
    *("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"),
}
FRAMEWORK_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]((?:ATen|c10|caffe2|torch)/[^>"]+)[>"]', re.MULTILINE)
NUMBER_TYPE = r"c10/util/(BFloat16|Half|complex|Float[48]_\w+|bits|qu?int\d+(x\d)?|TypeCast|floating_point_utils)[\w-]*\.h"
ALLOWED_INCLUDE = re.compile(rf"torch/headeronly/.*|{NUMBER_TYPE}|ATen/cpu/vec/.*")
TORCH_FREE = ("common", "core", "infermeta", "primitive", "kernels", "backends", "api", "ops", "program", "ir")
# a folder includes what stands below it, or beside it
LEVEL = {
    **{"common": 0, "core": 1, "backends": 2, "infermeta": 2, "primitive": 2, "kernels": 3, "functional": 3},
    **{"api": 4, "ops": 4, "paddle": 5, "program": 5, "ir": 5, "torch": 6},
}
# lines of a source file in a folder of csrc
SOURCE_LIMITS = {"kernels": 200, "ir": 250, "program": 250, "torch/python": 250}
CXX_SUFFIXES = {".h", ".hpp", ".cuh", ".cc", ".cu"}


def tracked() -> list[Path]:
    """Files of the checkout that git does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in answer.stdout.split("\0") if name and (ROOT / name).is_file()]


def below(*folders: str) -> list[Path]:
    return [file for file in tracked() if any(file.is_relative_to(ROOT / folder) for folder in folders)]


def lines_of(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def test_top_level_is_fixed():
    names = {file.relative_to(ROOT).parts[0] for file in tracked()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL
    assert TOP_LEVEL <= names | {"docs", "examples", "benchmarks"}


def forbidden_includes(file: Path, text: str) -> list[str]:
    found = FRAMEWORK_INCLUDE.findall(text)
    own = [name for name in found if (ROOT / "csrc" / name).exists()]  # csrc/torch/*.h, which hide ATen from kernels
    stream = ["c10/cuda/CUDAStream.h"] if file.suffix in (".cu", ".cuh") else []
    return [name for name in found if name not in [*own, *stream] and not ALLOWED_INCLUDE.fullmatch(name)]


def test_torch_stays_out_of_the_core():
    """PHI's folders include number types and SIMD of torch, but no thread pool, tensor, dispatcher or autograd header."""
    found = {}
    for file in below(*(f"csrc/{folder}" for folder in TORCH_FREE)):
        if file.suffix in CXX_SUFFIXES and (names := forbidden_includes(file, file.read_text(encoding="utf-8"))):
            found[str(file.relative_to(ROOT))] = names
    assert not found


def points_up(folder: str, text: str) -> list[str]:
    """The includes of a file of csrc/<folder> that go to a folder above it."""
    names = re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE)
    return [name for name in names if LEVEL.get(name.partition("/")[0], 0) > LEVEL[folder]]


def test_includes_point_one_way():
    found = {}
    for file in below(*(f"csrc/{folder}" for folder in LEVEL)):
        folder = file.relative_to(ROOT / "csrc").parts[0]
        if file.suffix in CXX_SUFFIXES and (names := points_up(folder, file.read_text(encoding="utf-8"))):
            found[file.relative_to(ROOT / "csrc").as_posix()] = names
    assert not found
    assert points_up("primitive", '#include "kernels/funcs/a.h"\n#include "core/b.h"\n') == ["kernels/funcs/a.h"]


def test_the_include_rule_sees_what_it_forbids():
    text = '#include <ATen/ATen.h>\n#  include "torch/library.h"\n#include <c10/util/Half.h>\n#include <ATen/cpu/vec/vec.h>\n'
    stream = "#include <c10/cuda/CUDAStream.h>\n"
    assert forbidden_includes(Path("a.cc"), text) == ["ATen/ATen.h", "torch/library.h"]
    assert forbidden_includes(Path("a.cu"), stream) == []
    assert forbidden_includes(Path("a.cc"), stream) == ["c10/cuda/CUDAStream.h"]


def test_the_generator_imports_downwards():
    """A folder of codegen/ takes from those below it, or from itself."""
    order = ("types", "model", "read", "view", "check", "emit", "scaffold")
    level = {name: i for i, name in enumerate(order)}
    wrong = []
    for file in below("codegen"):
        parts = file.relative_to(ROOT / "codegen").parts
        if file.suffix != ".py" or parts[0] not in level:
            continue
        for dots, name in re.findall(r"^\s*from (\.+)(\w*)", file.read_text(encoding="utf-8"), re.MULTILINE):
            if len(dots) == len(parts) and level.get(name, -1) > level[parts[0]]:
                wrong.append(f"{'/'.join(parts)} imports {name}")
    assert not wrong


UNNAMED = re.compile(r"^namespace \{\n(.*?)^\}  // namespace$", re.MULTILINE | re.DOTALL)
FUNCTION = re.compile(r"^(?!using|template|return)\w[\w:<>,&* \[\]]*?[ *&](\w+\([^;{}=]*\))(?: const)? \{", re.MULTILINE)
OTHER = re.compile(r"^(?!using|return)\w[\w:<>,&* ]*?[ *&](\w+)(?:\[\])?(?: = |\{| \{|;)", re.MULTILINE)


def defined_unnamed(text: str) -> list[tuple[str, str]]:
    """The namespace around, and what is defined there for one source: functions with the types of their parameters."""
    found = []
    for block in UNNAMED.finditer(text):
        around = re.findall(r"^namespace ([\w:]+) \{", text[: block.start()], re.MULTILINE)
        functions = [re.sub(r"\s+", " ", re.sub(r" ?\w+(?=[,)])", "", name)) for name in FUNCTION.findall(block[1])]
        found += [("".join(around[-1:]), name) for name in {*functions, *OTHER.findall(block[1])}]
    return found


def test_sources_that_are_compiled_together_define_other_names():
    """Those of a folder: `together` of phi_torch/_build makes groups of them, and others when a file is added."""
    found: dict[tuple[Path, str, str], list[str]] = {}
    for file in below("csrc"):
        if file.suffix == ".cc" and "kernels" not in file.parts:
            for name in defined_unnamed(file.read_text(encoding="utf-8")):
                found.setdefault((file.parent, *name), []).append(file.name)
    assert len(found) > 500
    assert {name: files for name, files in found.items() if len(files) > 1} == {}


def test_names_for_one_source_are_seen():
    text = """namespace phi::ir {
namespace {
using Kind = Constant::Kind;
constexpr int kMost = 3;
struct Row {
  int at;
};
template <typename T>
bool Fits(const Row& row,
          std::span<const T> sizes) {
  return true;
}
}  // namespace
int Public() { return 0; }
"""
    names = ["Fits(const Row&, std::span<const T>)", "Row", "kMost"]
    assert sorted(defined_unnamed(text)) == [("phi::ir", name) for name in names]


def test_nobody_includes_torch_extension():
    """torch/extension.h alone costs 20 s in each translation unit."""
    sources = [file for file in below("csrc", "codegen", "examples") if file.suffix in {*CXX_SUFFIXES, ".j2"}]
    assert [str(file.relative_to(ROOT)) for file in sources if "torch/extension.h" in file.read_text()] == []


def limit_of(file: Path) -> int | None:
    """The number of lines that a file may have."""
    if file.suffix in (".cc", ".cu"):
        return next((most for folder, most in SOURCE_LIMITS.items() if file.is_relative_to(ROOT / "csrc" / folder)), None)
    return {".h": 300, ".hpp": 300, ".cuh": 300, ".py": 450, ".j2": 60}.get(file.suffix)


def test_files_stay_small():
    files = [file for file in below("csrc", "codegen", "phi_torch", "tests", "benchmarks", "examples") if limit_of(file)]
    assert files
    too_long = {str(file.relative_to(ROOT)): len(lines_of(file)) for file in files if len(lines_of(file)) > limit_of(file)}
    assert not too_long


def test_cxx_files_name_the_license():
    files = [file for file in below("csrc", "examples") if file.suffix in CXX_SUFFIXES]
    missing = [str(file.relative_to(ROOT)) for file in files if lines_of(file)[:1] != ["// SPDX-License-Identifier: Apache-2.0"]]
    assert not missing


def readme_commands() -> list[str]:
    """The lines of the README's shell blocks, without prompts."""
    blocks = re.findall(r"```(?:sh|bash|shell|console)\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    return [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines() if line.strip()]


def test_readme_make_targets_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z][a-z-]*)", "\n".join(readme_commands())))
    assert named, "the README shows no make command"
    assert named <= targets


def test_readme_cli_commands_exist():
    named = set(re.findall(r"-m phi_torch ([a-z][a-z-]*)", "\n".join(readme_commands())))
    answer = subprocess.run([sys.executable, "-m", "phi_torch", "--help"], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    assert named <= set(re.findall(r"[a-z][a-z-]*", answer.stdout))


def test_readme_links_and_files_of_commands_exist():
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    files = re.findall(r"\b(?:examples|benchmarks|tests)/[\w./-]*\w", "\n".join(readme_commands()))
    assert [name for name in [*links, *files] if not (ROOT / name).exists()] == []


def test_pages_name_files_that_exist():
    """But for those that a reader or the generator makes, Paddle's own, and decisions, which tell of what was."""
    folders = "|".join((TOP_LEVEL | LEVEL.keys()) - {"paddle", "functional"})
    name = re.compile(rf"`((?:{folders})/[\w./-]+\.[a-z]+)`")
    pages = {*(ROOT / "docs").glob("*.md"), ROOT / "CONTRIBUTING.md", ROOT / "README.md"} - {ROOT / "docs/decisions.md"}
    named = {(page.name, file) for page in pages for file in name.findall(page.read_text(encoding="utf-8"))}
    assert len(named) > 50
    missing = {(page, file) for page, file in named if not any((folder / file).exists() for folder in (ROOT, ROOT / "csrc"))}
    assert {one for one in missing if "softclip" not in one[1]} == set()
