"""Calls of the operators of custom_ops/, made by torch and by Paddle. As a program: makes them with Paddle.

python _paddle_calls.py FOLDER     writes FOLDER/results.pickle
"""

import pickle
import sys
from pathlib import Path

import numpy as np

SOURCES = [Path(__file__).parent / "custom_ops" / f"{name}.cc" for name in ("elementwise", "attributes", "inputs", "inplace")]
_random = np.random.default_rng(0)


def _t(*shape):
    return _random.standard_normal(shape)


CALLS = [
    ("scaled_tanh", [_t(2, 3), 1.5]),
    ("relu_out", [_t(4)]),
    ("negate", [_t(3)]),
    ("identity", [_t(3)]),
    ("rows", [_t(4, 2), 1, 3]),
    ("all_attributes", [_t(1), True, 7, 0.5, 0.1, 10**12, "text", [1, 2, 3], [0.25], [10**12, -1], ["a", "bc"]]),
    ("affine", [_t(3), 3.0, [1.0, 2.0], "sum"]),
    ("weighted_sum", [[_t(2), _t(2), _t(2)], [1.0, 2.0, -3.0]]),
    ("add_optional", [_t(3), _t(3)]),
    ("add_optional", [_t(3), None]),
    ("add_all", [_t(3), [_t(3), _t(3)]]),
    ("add_all", [_t(3), None]),
    ("linear", [_t(2, 3), _t(3, 4), _t(4)]),
    ("split_number", [_t(5) * 10]),
    ("add_inplace", [_t(3), _t(3), 2.0]),
    ("relu_inplace", [_t(5)]),
    ("two_inplace", [_t(3), _t(3), _t(3), _t(3)]),
    ("add_to_list", [[_t(2), _t(2)], _t(2)]),
    ("add_both", [_t(2), _t(2)]),
    ("add_both", [_t(2), None]),
]
NO_GRADIENT = {"negate", "rows", "all_attributes", "add_all", "two_inplace"}


def _flat(values):
    return [v for value in values for v in (_flat(value) if isinstance(value, (list, tuple)) else [value])]


def call(name, values, op, leaf, array, outputs=lambda arguments, out: out):
    """The arrays of all outputs, of the arguments after the call, and of the gradients of the arguments.

    `leaf` makes a tensor of an array, `array` the opposite; None is absent. `outputs` gives Paddle's outputs. What is
    differentiated is the sum of the squares of the outputs of floating point.
    """
    leaves = []

    def argument(value):
        if isinstance(value, list) and isinstance(value[0], np.ndarray):
            return [argument(v) for v in value]
        if not isinstance(value, np.ndarray):
            return value
        leaves.append(leaf(value))
        return leaves[-1] * 1  # no leaf, so that it may be overwritten

    arguments = [argument(value) for value in values]
    results = _flat([outputs(arguments, op(*arguments))])
    tensors = [a for a in _flat(arguments) if hasattr(a, "numpy")]
    if name not in NO_GRADIENT:
        floating = [r for r in results if array(r) is not None and array(r).dtype.kind == "f"]
        sum((r * r).sum() for r in floating).backward()
    return [array(r) for r in results], [array(t) for t in tensors], [array(t.grad) for t in leaves]


def main(folder):
    import paddle
    from paddle.utils.cpp_extension import load

    build = folder / "build"
    build.mkdir(parents=True, exist_ok=True)
    module = load(name="paddle_ops", sources=list(map(str, SOURCES)), build_directory=str(build), extra_cxx_cflags=["-O0"])

    def leaf(value):
        return paddle.to_tensor(value, stop_gradient=False)

    def array(tensor):
        return None if tensor is None or not tensor._is_initialized() else tensor.numpy()

    results = [call(name, values, getattr(module, name), leaf, array) for name, values in CALLS]
    (folder / "results.pickle").write_bytes(pickle.dumps(results))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
