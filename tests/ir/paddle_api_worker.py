"""Makes programs of functions of PaddlePaddle's API, with inputs and outputs: `python paddle_api_worker.py FOLDER`, in an
environment with PaddlePaddle. FOLDER/calls.json has their bodies; FOLDER/N gets model and io.npz, or error.txt."""

import importlib.util
import json
import os
import signal
import sys
import textwrap
from pathlib import Path

import numpy as np
import paddle

LETTERS = "abcde"
random = np.random.RandomState(0)


def f(*sizes):
    return np.float32(random.randn(*sizes))


def u(*sizes):
    return np.float32(random.rand(*sizes))


def p(*sizes):
    return u(*sizes) + np.float32(0.1)


def i(high, *sizes):
    return random.randint(0, high, sizes).astype("int64")


def b(*sizes):
    return random.rand(*sizes) > 0.5


def spd(size):
    x = f(size, size)
    return x @ x.T + size * np.eye(size, dtype="float32")


def boxes():
    return np.array([[0, 0, 4, 4], [1, 1, 5, 5], [2, 0, 6, 3]], "float32")


def layers(folder, calls):
    """A module with a layer for each call: what is made static has to stand in a file."""
    text = "import paddle\nimport paddle.nn as nn\nimport paddle.nn.functional as F\n"
    for number, call in enumerate(calls):
        names, body = ", ".join(LETTERS[: len(call["inputs"])]), textwrap.indent(call["body"], " " * 8)
        text += f"class Call{number}(nn.Layer):\n    def forward(self, {names}):\n{body}\n"
    path = folder / "calls.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("calls", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make(layer, inputs, is_open, model):
    paddle.disable_static()
    layer.eval()
    given = dict(zip(LETTERS, inputs))
    shapes = {name: list(one.shape) for name, one in given.items()}
    if is_open:
        shapes["a"][0] = None
    specs = [paddle.static.InputSpec(shapes[name], str(one.dtype), name) for name, one in given.items()]
    paddle.jit.save(paddle.jit.to_static(layer, input_spec=specs), str(model), input_spec=specs)
    paddle.enable_static()
    executor = paddle.static.Executor(paddle.CPUPlace())
    with paddle.static.scope_guard(paddle.static.Scope()):
        program, feeds, fetches = paddle.static.load_inference_model(str(model), executor)
        outs = executor.run(program, feed={name: given[name] for name in feeds}, fetch_list=fetches)
    arrays = {f"in_{name}": given[name] for name in feeds} | {f"out_{k}": np.asarray(out) for k, out in enumerate(outs)}
    np.savez(model.parent / "io.npz", **arrays)


def main():
    folder = Path(sys.argv[1])
    calls = json.loads((folder / "calls.json").read_text())
    module = layers(folder, calls)
    for number, call in enumerate(calls):
        values = [np.asarray(eval(one)) for one in call["inputs"]]
        home = folder / str(number)
        home.mkdir()
        child = os.fork()  # which a call of Paddle may end
        if child == 0:
            signal.alarm(20)  # a process that was forked may wait for threads that it has not
            try:
                make(getattr(module, f"Call{number}")(), values, call["open"], home / "model")
            except BaseException as error:
                (home / "error.txt").write_text(repr(error))
            os._exit(0)
        os.waitpid(child, 0)


main()
