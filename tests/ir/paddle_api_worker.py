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


def flat(found):
    return [x for one in found for x in flat(one)] if isinstance(found, list | tuple) else [found]


def is_float(value):
    return str(value.dtype).rpartition(".")[2].lower() in ("float32", "float64", "complex64")


def gradients(outs, inputs):
    """Of the sum of the results, each weighed by what stands at its place."""
    weights = []
    for one in outs:
        weight = paddle.ones_like(one)
        if -1 not in one.shape:
            weight = paddle.cast(paddle.assign(np.asarray(random.rand(*one.shape) + 0.25, "float32")), one.dtype)
        weights.append(weight)
    return [one for one in paddle.static.gradients(outs, inputs, weights) if one is not None]


def used(values):
    """The names of the inputs that values follow from."""
    names, seen, left = set(), set(), list(values)
    while left:
        op = left.pop().get_defining_op()
        if op.id() not in seen:
            seen.add(op.id())
            names |= {op.attrs()["name"]} if op.name() == "pd_op.data" else set()
            left += [one for one in op.operands_source() if one.initialized()]
    return names


def make_gradients(layer, inputs, is_open, model, order):
    """A program of the gradients of a function, and of those of its square's gradients for the order 2."""
    paddle.enable_static()
    given, main = dict(zip(LETTERS, inputs)), paddle.static.Program()
    with paddle.static.program_guard(main, paddle.static.Program()):
        feeds = []
        for name, one in given.items():
            sizes = [-1, *one.shape[1:]] if is_open and name == "a" else list(one.shape)
            feeds.append(paddle.static.data(name, sizes, str(one.dtype)))
            feeds[-1].stop_gradient = not is_float(feeds[-1])
        wanted = [one for one in feeds if is_float(one)]
        outs = [one for one in flat(layer.forward(*feeds)) if is_float(one) and not one.stop_gradient]
        fetched = gradients([paddle.square(one) for one in outs] if order == 2 else outs, wanted)
        if order == 2:
            fetched += gradients([one for one in fetched if not one.stop_gradient], wanted)
        feeds = [one for one in feeds if one.name in used(fetched)]
        executor = paddle.static.Executor(paddle.CPUPlace())
        paddle.static.save_inference_model(str(model), feeds, fetched, executor, program=main)
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
                layer = getattr(module, f"Call{number}")()
                if order := call.get("gradients"):
                    make_gradients(layer, values, call["open"], home / "model", order)
                else:
                    make(layer, values, call["open"], home / "model")
            except BaseException as error:
                (home / "error.txt").write_text(repr(error))
            os._exit(0)
        os.waitpid(child, 0)


main()
