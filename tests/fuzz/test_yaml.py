"""Operator YAML that is wrong in random ways: every error is a diagnostic at its place, never an exception or a hang.

What has no errors can be generated.
"""

import importlib
import pkgutil
import random
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))  # at the end: the folder yaml/ must not hide PyYAML

from codegen import emit  # noqa: E402
from codegen.load import load, op_files, own_ops  # noqa: E402
from codegen.model.diagnose import CODES, Diagnostics  # noqa: E402
from codegen.model.op import OpSet  # noqa: E402

from .mutate import damaged, mutated  # noqa: E402

CASES, PARTS = 3_000, 6
LIMIT = 5  # seconds of the processor for one case; a usual one takes a few milliseconds
SMALL = """
- op : f
  args : (Tensor x, Tensor y, int[] axes = {1, -1}, Scalar p = 1.0e-5f, str mode = "a b", bool b = false, DataType d = DataType::FLOAT32)
  output : Tensor(out), Tensor[](parts){axes.size()}, Tensor(rest)
  infer_meta :
    func : FInferMeta
    param : [x, axes, true, '"x"']
  kernel :
    func : f {dense, dense -> dense, dense, dense}, f_sr {selected_rows, dense -> dense, dense, dense}
    data_type : d > x
    backend : x, y
  optional : y, rest
  intermediate : rest
  inplace : (x -> out)
  data_transform :
    skip_transform : y
  composite : "phi.f(x, y, axes), [x for _ in axes], torch.where(x > 0, x, 0)"
  type_promotion : [x, y]
  strided : true
  backward : f_grad
- backward_op : f_grad
  forward : f (Tensor x, Tensor y, int[] axes, Scalar p, str mode, bool b, DataType d) -> Tensor(out), Tensor[](parts){axes.size()}, Tensor(rest)
  args : (Tensor x, Tensor rest, Tensor out_grad, int[] axes, float extra = 1.5f)
  output : Tensor(x_grad)
  invoke : f(x, out_grad, {1}, 0.5f)
  no_need_buffer : x
"""  # noqa: E501


def texts() -> list[str]:
    """Entries with what belongs to them: those of the real files with their gradients, and one with nearly every key."""
    whole = "".join(file.read_text(encoding="utf-8") for file in op_files())
    found = re.split(r"(?m)^(?=- )", whole)[1:]
    by_name = {re.match(r"- \w+ : (\w+)", entry)[1]: entry for entry in found}
    grads = ("_grad", "_double_grad")
    pairs = [
        entry + "".join(by_name.get(name + of, "") for of in grads) for name, entry in by_name.items() if not name.endswith("_grad")
    ]
    return [*pairs, *([SMALL] * len(pairs))]


@contextmanager
def limited(what: str, seconds: int = LIMIT) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"{what} took more than {seconds} s of the processor")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def emitters() -> list[ModuleType]:
    """All but that of the docs, which reads the C++ sources."""
    modules = [
        importlib.import_module(m.name) for m in pkgutil.walk_packages(emit.__path__, "codegen.emit.") if ".docs." not in m.name
    ]
    return [module for module in modules if hasattr(module, "emit")]


def diagnose(file: Path, base: OpSet | None) -> Diagnostics:
    """The errors of a file; all of them can be printed, with a place inside the file and a code."""
    opset, diag = load([file], base=base, root=file.parent)
    if not diag and all(op.backward is None or op.backward in opset for op in opset.ops):
        for module in emitters():
            module.emit(opset, "")
    printed = diag.render()
    heads = re.findall(r"(?m)^(.*?):(\d+):(\d+): error\[(PHI\d+)\]: .", printed)
    count = len(file.read_bytes().decode("utf-8", "replace").split("\n")) + 1
    assert len(heads) >= len(diag.errors) and all(error.help for error in diag.errors)
    assert all(0 < int(line) <= count and int(column) > 0 and code in CODES for _, line, column, code in heads), printed
    return diag


@pytest.mark.parametrize("part", range(PARTS))
def test_every_error_is_a_diagnostic(part: int, tmp_path: Path):
    base, sources = own_ops(), texts()
    codes: set[str] = set()
    for number in range(part * CASES // PARTS, (part + 1) * CASES // PARTS):
        rng = random.Random(number)
        file = tmp_path / "ops.yaml"
        file.write_bytes(damaged(mutated(rng.choice(sources), rng), rng))
        with limited(f"case {number}"):
            try:
                diag = diagnose(file, base)
            except Exception as error:
                text = file.read_bytes().decode("utf-8", "backslashreplace")
                raise AssertionError(f"case {number}: {error!r}\n{text[:3000]}") from error
        codes.update(error.code for error in diag.errors)
    assert len(codes) > 15  # the edits reach many rules


def test_the_real_files_with_an_edit(tmp_path: Path):
    whole = "".join(file.read_text(encoding="utf-8") for file in op_files())
    for number in range(6):
        rng = random.Random(f"whole {number}")
        file = tmp_path / "ops.yaml"
        file.write_bytes(damaged(mutated(whole, rng), rng))
        with limited(f"whole {number}", 6 * LIMIT):  # all code is generated
            diagnose(file, None)


def test_the_texts_are_right(tmp_path: Path):
    file = tmp_path / "ops.yaml"
    file.write_text("".join(texts()[: len(texts()) // 2]) + SMALL)
    assert diagnose(file, None).render() == ""
