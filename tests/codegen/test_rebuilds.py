"""What an edit of the YAML recompiles: a line moves a small file, a new op the shards that it is in."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from _yaml import ROOT

from codegen.generate import generate
from codegen.load import op_files
from codegen.model.diagnose import Diagnostics
from codegen.model.op import OpSet
from codegen.read.parse import parse_files

# of a signature that no kernel has
NEW = """
- op : softplus_of
  args : (Tensor x, float beta = 1.0, bool sharp = false, float gamma = 1.0, bool smooth = false)
  output : Tensor(out)
  category : unary
"""
# files about all ops, quick to compile
LISTS = {
    *("torch/places.cc", "torch/schema.cc", "torch/register_keys.cc", "torch/ops.h"),
    *("paddle/ops.h", "torch/paddle_ops.cc"),
}


def sources(folder: Path, edit: str) -> dict[str, str]:
    """The generated C++ of our own YAML with `edit` put before its second entry."""
    folder.mkdir()
    files = []
    for file in op_files():
        text = file.read_text()
        if file.match("ops/activation.yaml"):
            second = text.index("\n- op :", text.index("- op :"))
            text = text[:second] + edit + text[second:]
        files.append(folder / file.parent.name / file.name)
        files[-1].parent.mkdir(exist_ok=True)
        files[-1].write_text(text)
    diag = Diagnostics()
    opset = parse_files(files, diag, folder)
    assert not diag, diag.render()
    out = folder / "out"
    return {
        str(path.relative_to(out)): path.read_text() for path in generate(opset, out, files) if path.suffix in (".h", ".cc", ".cu")
    }


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    assert ROOT.is_dir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OpSet, "shards", lambda opset, ops_per_file: 4)  # one more operator may be one too many for so many files
        yield sources(tmp_path_factory.mktemp("yaml") / "before", "")


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def test_an_edit_of_an_infer_meta_function_recompiles_what_is_made_of_its_header(before):
    """Generated files know the declarations; each header that they include besides is checked for here."""
    included = {name: set(re.findall(r'#include "(infermeta/\w+\.h)"', text)) for name, text in before.items()}
    whole = {name: headers - {"infermeta/functions.h", "infermeta/given.h"} for name, headers in included.items()}
    for name, headers in whole.items():
        match = re.fullmatch(r"(?:torch/)?infermeta/(\w+)\.cc", name)
        own = {f"infermeta/{match[1]}.h"} if match and "registry" not in match[1] else set()
        assert headers == own, name
    assert with_functions() == set.union(*whole.values())


def with_functions() -> set[str]:
    """The headers that hold InferMeta functions; the others hold what several of them, and kernels, share."""
    return {f"infermeta/{path.name}" for path in (ROOT / "csrc/infermeta").glob("*.h") if "InferMeta(" in path.read_text()}


def test_kernels_and_the_bridge_know_the_declarations_of_infer_meta_functions():
    """An edit of one would compile them again; infermeta/functions.h declares all."""
    for folder in (path for path in (ROOT / "csrc").iterdir() if path.is_dir() and path.name != "infermeta"):
        for file in (path for path in folder.rglob("*") if path.suffix in (".h", ".hpp", ".cuh", ".cc", ".cu")):
            assert set(re.findall(r'#include "(infermeta/\w+\.h)"', file.read_text())).isdisjoint(with_functions()), file


def test_an_inserted_line_recompiles_the_places_alone(before, tmp_path):
    assert changed(before, sources(tmp_path / "after", "\n# a comment\n")) == {"torch/places.cc"}


def test_a_new_op_recompiles_a_shard_of_each_kind(before, tmp_path):
    after = sources(tmp_path / "after", NEW)
    own = {name for name in after if "softplus_of" in name}
    ours = ("ir/infer_type", "ir/op_table")
    kinds = ("api", "api/bound_calls", "autograd", "infermeta/registry", *ours, "meta", "ops", "python/fast", "signatures")
    shards = changed(before, after) - own - LISTS
    assert {name.rstrip("0123456789.c_").removeprefix("torch/") for name in shards} == {*kinds}
    assert len(shards) == len(kinds)
    assert own == {
        "ir/ops/softplus_of.h",
        *("torch/ops/softplus_of.h", "functional/softplus_of.h"),
        *(f"kernels/{name}" for name in ("softplus_of_kernel.h", "cpu/softplus_of_kernel.cc", "gpu/softplus_of_kernel.cu")),
    }
