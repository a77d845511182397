"""What the benchmark asks of Paddle's process: {"prepare": {...}} builds a timed loop and answers with the value of the
call if it is small, {"calls": n} runs it.
"""

import runpy
from pathlib import Path
from typing import Any

SMALL = 4096
SIDE = runpy.run_path(str(Path(__file__).with_name("side.py")))
_loop: Any = None


def answer(paddle: Any, request: Any) -> dict[str, Any]:
    global _loop
    if "prepare" in request:
        _loop, value = prepare(paddle, SIDE, request["prepare"])
        return {"value": value}
    return {"seconds": _loop(request["calls"])}


def prepare(paddle: Any, side: Any, request: Any) -> Any:
    """The timed loop of a request, and what to compare."""
    dtype, direction, result = request["dtype"], request["direction"], request["result"]

    def tensor(value: Any) -> Any:
        found = paddle.to_tensor(value)
        return found.cast(dtype) if "float" in str(found.dtype) else found

    values = {}
    for spec, value in zip(request["inputs"], side["arrays"](request["inputs"]).values()):
        if spec["kind"] in side["LISTS"]:
            value = [tensor(array) for array in value]
        elif spec["kind"] != "shape":
            value = tensor(value)
        if spec["kind"] == side["WITH_GRADIENT"] and direction != "forward":
            value.stop_gradient = False
        values[spec["name"]] = value
    clock, call, setup = side["clock"](request["threads"]), request["call"], request["setup"]
    names = {
        **{"paddle": paddle, "C": paddle._C_ops, "dtype": getattr(paddle, dtype), "other": getattr(paddle, request["other"])},
        **{"backward": paddle.autograd.backward, "seed": None},
    }
    compared = result if result not in ("out", "none") else "None"
    out, changed = side["loop"]("pass", setup, {**names, **values}, clock, f"({call}, {compared})")[1]()
    several = isinstance(out, (list, tuple))
    if direction == "forward+backward":
        names["seed"] = [paddle.ones_like(o) for o in out] if several else paddle.ones_like(out)
    leaves = [name for name, value in values.items() if hasattr(value, "stop_gradient") and not value.stop_gradient]
    statements = side["body"](call, direction, leaves, request["accumulate"], several)
    shown = None if result == "none" else changed if changed is not None else out
    return side["loop"](statements, setup, {**names, **values}, clock)[0], small(shown)


def small(value: Any) -> Any:
    """The value as nested lists, None if there is none or if it is large."""
    if isinstance(value, (list, tuple)):
        found = [small(v) for v in value[:4]]
        return None if None in found else found
    if value is None or value.size > SMALL:
        return None
    return value.cast("float32").numpy().tolist()
