"""The command line, the writer, the JSON schema, and texts that are wrong in odd ways; tests/fuzz has the random ones."""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from _yaml import ROOT, ops, read
from test_yaml_check import SWISH, TANH

from codegen.emit.write import MANIFEST, Writer, shard
from codegen.model import category
from codegen.model.diagnose import Diagnostics
from codegen.read import entry as reader
from codegen.read import kinds, op_compat, program_ops
from codegen.read.parse import parse_files
from codegen.types.kinds import KEYS

MIXED = (
    SWISH
    + TANH
    + """
- op: conv2d
  args: (Tensor input, Tensor filter, Tensor bias, int[] strides={1, 1}, str mode="EXPLICIT", DataType dtype=DataType::FLOAT32)
  output : Tensor (out), Tensor[](cache){strides.size()}
  infer_meta : {func : ConvInferMeta, param : [input, filter, strides, '"x"', DataType::INT64, {1, 1}]}
  kernel :
    func : conv2d{dense, dense, dense -> dense, dense}
           conv2d_sr{selected_rows, dense, dense -> dense, dense},
    data_type : dtype > input
    backend : input, filter
  optional : bias
  intermediate : cache
  inplace : (input -> out)
  data_transform :
    skip_transform : bias
  doc : |
    Two paragraphs.

    The second one.
"""
)


def command(*args: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "codegen", *args]
    env = {"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"}
    return subprocess.run(line, cwd=cwd, env=env, capture_output=True, text=True, check=False)


def test_check_prints_all_errors_of_all_files(tmp_path: Path):
    (tmp_path / "a.yaml").write_text("- op : relu\n  args : (Tenser x)\n  output : Tensor(out)\n")
    (tmp_path / "b.yaml").write_text("- op : tanh\n  args : (Tensor x\n")
    (tmp_path / "c.yaml").write_bytes(b"- op : \xff\n")
    answer = command("check", "b.yaml", "a.yaml", "c.yaml", "none.yaml", cwd=tmp_path)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert [line for line in answer.stderr.splitlines() if "error" in line] == [
        "a.yaml:2:11: error[PHI007]: unknown type 'Tenser' in args of 'relu'",
        "b.yaml:1:8: error[PHI005]: 'tanh' has no `output`",
        "b.yaml:2:10: error[PHI008]: args of 'tanh' must stand in parentheses",
        "c.yaml:1:1: error[PHI001]: the file is not UTF-8: invalid start byte at byte 7",
        "none.yaml:1:1: error[PHI001]: cannot read the file: No such file or directory",
        "5 errors",
    ]


def test_check_without_errors(tmp_path: Path):
    (tmp_path / "a.yaml").write_text(TANH)
    answer = command("check", "a.yaml", cwd=tmp_path)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, "4 ops, no errors\n", "")
    (tmp_path / "csrc").mkdir()
    answer = command("check", "a.yaml", "csrc", cwd=tmp_path)
    assert answer.returncode == 2
    assert "a.yaml:23:20: error[PHI036]: no source registers kernel 'tanh_double_grad' of 'tanh_double_grad'" in answer.stderr


def test_nothing_is_generated_from_wrong_yaml(tmp_path: Path):
    (tmp_path / "a.yaml").write_text("- op : relu\n")
    assert command("gen", "a.yaml", "--out", "out", cwd=tmp_path).returncode == 2
    assert not (tmp_path / "out").exists()


def test_generate_writes_nothing_twice(tmp_path: Path):
    (tmp_path / "a.yaml").write_text(SWISH)
    dry = command("gen", "a.yaml", "--out", "out", "--dry-run", cwd=tmp_path)
    assert dry.returncode == 0, dry.stderr
    assert not (tmp_path / "out").exists()
    assert command("gen", "a.yaml", "--out", "out", cwd=tmp_path).stdout == dry.stdout
    files = {tmp_path / name: (tmp_path / name).stat().st_mtime_ns for name in dry.stdout.split()}
    assert files
    assert command("gen", "a.yaml", "--out", "out", cwd=tmp_path).stdout == dry.stdout
    assert {file: file.stat().st_mtime_ns for file in files} == files


def test_the_generator_imports_neither_torch_nor_numpy():
    code = "import sys, codegen.__main__; print([m for m in ('torch', 'numpy', 'phi_torch') if m in sys.modules])"
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_the_yaml_folder_does_not_hide_pyyaml():
    answer = subprocess.run(
        [sys.executable, "-c", "import yaml, yaml.nodes; print(yaml.safe_load('[1]'))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout == "[1]\n"


def test_names_are_printed_relative_to_the_root(tmp_path: Path):
    (tmp_path / "yaml").mkdir()
    file = tmp_path / "yaml" / "ops.yaml"
    file.write_text("- op : relu\n  args : (Tensor x)\n  output : Tensor\n  category : unary\n")
    assert parse_files([file], Diagnostics(), tmp_path)["relu"].source == "yaml/ops.yaml"
    assert parse_files([file], Diagnostics(), tmp_path / "other")["relu"].source == file.as_posix()


def test_writer_touches_only_what_changed(tmp_path: Path):
    def run(files: dict[str, str], dry_run: bool = False) -> Writer:
        writer = Writer(tmp_path, dry_run)
        for name, text in files.items():
            writer.write(name, text)
        assert writer.finish() == [tmp_path / name for name in files]
        return writer

    (tmp_path / "mine.txt").write_text("not generated")
    assert run({"a.cc": "1", "sub/b.cc": "é\n"}, dry_run=True).changed == [tmp_path / "a.cc", tmp_path / "sub/b.cc"]
    assert [p.name for p in tmp_path.iterdir()] == ["mine.txt"]
    run({"a.cc": "1", "sub/b.cc": "é\n"})
    before = (tmp_path / "a.cc").stat().st_mtime_ns
    second = run({"a.cc": "1", "sub/b.cc": "2"})
    assert (second.changed, second.removed) == ([tmp_path / "sub/b.cc"], [])
    assert (tmp_path / "a.cc").stat().st_mtime_ns == before
    third = run({"a.cc": "1"})
    assert (third.changed, third.removed) == ([], [tmp_path / "sub/b.cc"])
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == [MANIFEST, "a.cc", "mine.txt"]


def test_writer_refuses_what_would_be_lost(tmp_path: Path):
    writer = Writer(tmp_path)
    writer.write("a.cc", "")
    with pytest.raises(ValueError, match="generated twice"):
        writer.write("a.cc", "")
    for name in ("../a.cc", "/a.cc"):
        with pytest.raises(ValueError, match="not below"):
            writer.write(name, "")


def test_a_new_op_changes_one_shard():
    names = [f"op{i}" for i in range(100)]
    before, after = shard(names, 8, str), shard([*names, "new_op"], 8, str)
    assert sorted(name for part in before for name in part) == sorted(names)
    assert sum(a != b for a, b in zip(before, after, strict=True)) == 1
    assert min(len(s) for s in before) > 0
    with pytest.raises(ValueError, match="at least 1"):
        shard(names, 0, str)


def test_files_follow_from_the_number_of_operators():
    entries = ops("".join(f"- op : op{i}\n  args : (Tensor x)\n  output : Tensor(out)\n  composite : x + x\n" for i in range(45)))
    assert [entries.shards(count) for count in (10, 44, 45, 46)] == [5, 2, 1, 1]
    assert ops("").shards(20) == 1


def test_schema_knows_every_key():
    entry = json.loads((ROOT / "yaml" / "schema.json").read_text(encoding="utf-8"))["items"]["properties"]
    assert sorted(entry) == sorted([*reader.KEYS, *kinds.KIND_KEYS])
    assert entry["key"]["enum"] == list(KEYS)
    assert sorted(entry["kernel"]["properties"]) == sorted(reader.KERNEL_KEYS)
    assert sorted(entry["infer_meta"]["properties"]) == sorted(reader.INFER_META_KEYS)
    assert sorted(entry["data_transform"]["properties"]) == sorted(reader.DATA_TRANSFORM_KEYS)
    assert entry["category"]["enum"] == list(category.CATEGORIES)
    assert entry["autocast"]["enum"] == list(category.AUTOCAST)
    assert entry["jvp"]["enum"] == list(category.JVP)
    assert entry["layout"]["enum"] == list(category.LAYOUT_TAGS)


@pytest.mark.parametrize(("name", "known"), [("program_ops", program_ops.KEYS), ("op_compat", op_compat.KEYS)])
def test_schemas_of_programs_know_every_key(name: str, known: tuple[str, ...]):
    schema = json.loads((ROOT / "yaml" / f"{name}.schema.json").read_text(encoding="utf-8"))
    assert sorted(schema["items"]["properties"]) == sorted(known)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "- - " * 100_000,
        "- op : {a: " + "{a: " * 100_000,
        "- &a [*a]",
        "- op : &a\n    b : *a",
        "- ? [x]\n  : y",
        "- {? {a : b} : c}",
        "---\n- a\n---\n- b",
        "-",
        "- - -",
        "- op : relu\n  args : (Tensor x, int a=" + "(" * 9999,
        "- <<: {op : relu}",
        "- op : !!python/object:os.system x",
    ],
)
def test_odd_yaml_is_an_error(text: str):
    printed = read(text)[1].render()
    assert "error[PHI" in printed and "help: " in printed and max(map(len, printed.splitlines())) < 700


def test_a_hundred_ops_take_a_moment():
    entries = "".join(re.sub(r"\b(tanh|swish)", rf"\g<1>{i}", TANH + SWISH) for i in range(17))
    start = time.process_time()
    assert len(ops(entries).ops) == 102
    assert time.process_time() - start < 0.9  # 0.05 s; of this process, whatever else runs


def test_the_mixed_text_is_right():
    assert len(ops(MIXED).ops) == 7
