"""What programs cost beside direct calls: `python benchmarks/programs.py FOLDER-OF-LENET`, ratios of medians; the status is 1
where one of them is above its limit.

`run_op` on 4x4 against the function that it calls; the executor against the calls that it makes, with their arguments at hand; a
module, which runs compiled, against the executor.
"""

import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import torch

import phi_torch
from phi_torch import legacy
from phi_torch.legacy import _callee

MOST = {
    "prepared elementwise_add / phi_torch.add, 4x4": 3.0,
    "executor / its calls, batch 1": 1.5,
    "module / executor, batch 1": 1.0,
}


def ratio(ours: Callable[[], Any], base: Callable[[], Any], calls: int, rounds: int = 15) -> float:
    """The median of the ratios of rounds that stand side by side."""

    def seconds(function: Callable[[], Any]) -> float:
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        return time.perf_counter() - begin

    seconds(ours), seconds(base)
    return median(seconds(ours) / seconds(base) for _ in range(rounds))


def calls_of(
    program: legacy.ProgramDesc, parameters: dict[str, torch.Tensor], feed: dict[str, torch.Tensor]
) -> list[Callable[[], Any]]:
    """The calls of a run, with the arguments that they have there."""
    calls: list[Callable[[], Any]] = []
    find = _callee.find

    def recorded(kernel: str) -> Any:
        callee = find(kernel)
        assert callee is not None

        def record(*args: Any, **kwargs: Any) -> Any:
            calls.append(partial(callee.function, *args, **kwargs))
            return callee.function(*args, **kwargs)

        return callee._replace(function=record)

    _callee.find = recorded  # type: ignore[assignment]
    executor = legacy.Executor(program, parameters)
    _callee.find = find
    executor._execute({}, parameters, feed, None)  # by functions, whatever would run
    return calls


def main() -> int:
    torch.set_num_threads(1)
    a = torch.randn(4, 4)
    inputs, add = {"X": a, "Y": a}, phi_torch.add
    prepared = legacy.create_op("elementwise_add", inputs, {"axis": -1})
    program, parameters = legacy.read_model(sys.argv[1])
    executor, module = legacy.Executor(program, parameters), legacy.ProgramModule(program, parameters)
    shapes = {name: program.blocks[0].vars[name].dims or () for name in executor.feeds}
    feed = {name: torch.randn([max(size, 1) for size in shape]) for name, shape in shapes.items()}

    def direct() -> None:
        for call in calls:
            call()

    with torch.no_grad():
        calls = calls_of(program, parameters, feed)
        found = (
            ratio(lambda: prepared(inputs), lambda: add(a, a), 20000),
            ratio(lambda: executor.run(feed), direct, 200),
            ratio(lambda: module(**feed), lambda: executor.run(feed), 200),
        )
    for (name, most), one in zip(MOST.items(), found):
        print(f"{name:48} {one:.2f}, at most {most}")
    return int(any(one > most for most, one in zip(MOST.values(), found)))


if __name__ == "__main__":
    sys.exit(main())
