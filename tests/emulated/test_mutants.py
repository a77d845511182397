"""What `make gpu-mutants` changes; that a test fails with each is its own answer, which takes long."""

from __future__ import annotations

import pytest

from . import mutants


def test_every_reason_has_its_place():
    """A line that was edited needs its reason anew."""
    _, found = mutants.changeable_code()
    assert mutants.HARMLESS.keys() <= {(m.source, m.text) for m in found}


def test_every_barrier_can_be_left_out():
    _, found = mutants.changeable_code()
    barriers = sum((mutants.CSRC / source).read_text().count("__sync") for source in mutants.device_code())
    assert barriers > 0
    assert sum(m.text.startswith("no barrier") for m in found) == barriers


@pytest.mark.parametrize(
    "line, changed, texts",
    [
        ("if (i < n) {", "if (i <::phi::emulated::Place<1>()> n) {", ["if (i <= n) {"]),
        ("if (i >= n) {", "if (i >=::phi::emulated::Place<1>()> n) {", ["if (i > n) {"]),
        ("at(min(a, b));  // a < b", "at(::phi::emulated::Min<1>(a, b));  // a < b", ["no limit: at(min(a, b));"]),
        ("__syncthreads();", "if (!::phi::emulated::IsChanged(1)) __syncthreads();", ["no barrier 1"]),
        ("constexpr bool fits = a < b;", "constexpr bool fits = a < b;", []),
    ],
)
def test_changes(line, changed, texts, tmp_path, monkeypatch):
    monkeypatch.setattr(mutants, "CSRC", tmp_path)
    (tmp_path / "some.cu").write_text(line + "\n")
    text, found = mutants.changeable("some.cu", 1)
    assert text == changed + "\n"
    assert [m.text for m in found] == texts
