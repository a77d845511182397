"""What a pass of somebody's own, or what is given to a pipeline, may lack."""

from __future__ import annotations

from typing import Any

import pytest

from phi_torch import ir


class Nameless(ir.Pass):
    def run(self, program: ir.Program) -> None: ...


class Idle(ir.Pass):
    name = "idle"


class Answers(ir.Pass):
    name = "answers"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def run(self, program: ir.Program) -> Any:
        return self.answer


@pytest.mark.parametrize(
    ("passes", "error", "message"),
    [
        ([Nameless], TypeError, "Nameless: expected a name of the pass"),
        ([Idle], TypeError, r"the pass 'idle': expected a method run\(self, program\) in Idle, got none"),
        ([99], ValueError, "argument 'passes': expected a level from 0 to 4, got 99"),
        (-1, ValueError, "argument 'passes': expected a level from 0 to 4, got -1"),
    ],
)
def test_what_cannot_run(passes: Any, error: type[Exception], message: str):
    with pytest.raises(error, match=message):
        ir.PassManager(passes)


@pytest.mark.parametrize("answer", [3, {"relus": "many"}, ["relus"]])
def test_what_is_no_count(answer: Any):
    with pytest.raises(TypeError, match="the pass 'answers': expected run to return counts"):
        ir.PassManager([Answers(answer)]).run(ir.Program())


@pytest.mark.parametrize("option", ["threads", "max_memory"])
def test_numbers_of_a_run(option: str):
    options: Any = {option: -1}
    with pytest.raises(ValueError, match=f"argument '{option}': expected a number from 0 on, got -1"):
        ir.compile(ir.Program(), **options)


def test_an_exported_file_that_is_not_there(caplog: pytest.LogCaptureFixture):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.pt2: no such file"):
        ir.from_exported("nowhere.pt2")
    assert not caplog.records  # torch's, with a traceback
