"""What the tests ask of Paddle's process: one call.

tensor   {"tensor": dtype, "shape": list, "data": bytes, "grad": bool}
dtype    {"dtype": name}, place {"place": "cpu"}
request  {"op": name, "args": [...], "cotangents": [(index of the output, tensor)]}
answer   {"outputs": [...], "args": [tensors after the call], "grads": [...]} or "error" in the place of the first,
         "grads_error" in that of the last
"""

from typing import Any

import numpy as np

BITS = {"bfloat16": "uint16", "float8_e4m3fn": "uint8", "float8_e5m2": "uint8"}  # what NumPy lacks travels as bits


def answer(paddle, request):
    paddle.seed(0)
    tensors: list[Any] = []
    args = [decoded(paddle, value, tensors) for value in request["args"]]
    outputs = list(leaves([getattr(paddle._C_ops, request["op"])(*args)]))
    found: dict[str, Any] = {"outputs": [encoded(o) for o in outputs], "args": [encoded(t) for t in tensors]}
    if request["cotangents"]:
        try:
            indices, cotangents = zip(*request["cotangents"])
            grads = paddle.grad(
                [outputs[i] for i in indices],
                [t for t in tensors if not t.stop_gradient],
                [decoded(paddle, c, []) for c in cotangents],
                allow_unused=True,
            )
            found["grads"] = [encoded(g) for g in grads]
        except Exception as error:
            found["grads_error"] = f"{type(error).__name__}: {error}"
    return found


def leaves(value):
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def decoded(paddle, value, tensors):
    """An argument; the tensors in it are added to `tensors`."""
    if isinstance(value, (list, tuple)):
        return [decoded(paddle, v, tensors) for v in value]
    if not isinstance(value, dict):
        return value
    if "dtype" in value:
        return getattr(paddle, value["dtype"])
    if "place" in value:
        return paddle.CPUPlace()
    dtype = value["tensor"]
    made = paddle.to_tensor(np.ndarray(value["shape"], BITS.get(dtype, dtype), bytearray(value["data"])))
    made.stop_gradient = not value["grad"]
    tensors.append(made)
    return made


def encoded(tensor):
    if not hasattr(tensor, "numpy") or not (tensor._is_initialized() or 0 in tensor.shape):
        return None
    dtype = str(tensor.dtype).removeprefix("paddle.")
    array = np.ascontiguousarray(tensor.detach().numpy())
    return {"tensor": dtype, "shape": list(tensor.shape), "data": array.tobytes(), "grad": False}
