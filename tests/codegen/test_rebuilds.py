"""What an edit of the YAML recompiles: a line moves a small file, a new op the shards that it is in."""

from pathlib import Path

import pytest
from _yaml import ROOT

from codegen.generate import generate
from codegen.load import op_files
from codegen.model.diagnose import Diagnostics
from codegen.read.parse import parse_files

NEW = """
- op : softplus_of
  args : (Tensor x, float beta = 1.0)
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
def before(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    assert ROOT.is_dir()
    return sources(tmp_path_factory.mktemp("yaml") / "before", "")


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}


def test_an_inserted_line_recompiles_the_places_alone(before, tmp_path):
    assert changed(before, sources(tmp_path / "after", "\n# a comment\n")) == {"torch/places.cc"}


def test_a_new_op_recompiles_a_shard_of_each_kind(before, tmp_path):
    after = sources(tmp_path / "after", NEW)
    own = {name for name in after if "softplus_of" in name}
    kinds = ("api", "autograd", "ir/op_table", "meta", "ops", "python/fast")
    shards = changed(before, after) - own - LISTS
    assert {name.rstrip("0123456789.c_").removeprefix("torch/") for name in shards} == {*kinds, "infermeta/registry"}
    assert len(shards) == len(kinds) + 1
    assert own == {
        *("torch/ops/softplus_of.h", "functional/softplus_of.h"),
        *(f"kernels/{name}" for name in ("softplus_of_kernel.h", "cpu/softplus_of_kernel.cc", "gpu/softplus_of_kernel.cu")),
    }
