# mypy: disable-error-code="arg-type, call-arg, list-item"
"""The fast functions do what the Python functions of the same names do, and say what is wrong with a call."""

import copy
import gc
import inspect
import pickle
import random
import subprocess
import sys
import threading
import types
from typing import Any, ClassVar

import pytest
import torch
from torch.overrides import TorchFunctionMode

import phi_torch
from phi_torch import _fast, ops
from phi_torch.testing.case import as_tuple, clone

from . import cases

X, Y = torch.randn(3, 4), torch.randn(3, 4)


def is_fast(name: str) -> bool:
    return isinstance(getattr(ops, name), types.BuiltinFunctionType)


def exactly(actual, expected):
    for a, e in zip(as_tuple(actual), as_tuple(expected), strict=True):
        if isinstance(e, list):
            exactly(tuple(a), tuple(e))
        elif e is None:
            assert a is None
        elif isinstance(e, phi_torch.StringTensor):
            assert repr(a) == repr(e)
        else:
            torch.testing.assert_close(a, e, rtol=0, atol=0, equal_nan=True)
            assert a.stride() == e.stride() and a.requires_grad == e.requires_grad


@pytest.mark.parametrize("name", ops.__all__)
def test_every_op_is_fast_and_documented(name):
    fast, python = getattr(phi_torch, name), _fast.PYTHON[name]
    assert is_fast(name)
    assert fast.__name__ == name and fast.__module__ == "phi_torch"
    assert inspect.getdoc(fast) == inspect.getdoc(python)
    own, expected = inspect.signature(fast).parameters, inspect.signature(python).parameters
    assert list(own) == list(expected)
    for parameter in own.values():
        default = expected[parameter.name].default
        if isinstance(default, tuple) and len(default) == 1:
            default = [*default]  # inspect drops the comma of "(0,)"
        assert parameter.default == (None if isinstance(default, (torch.dtype, torch.device)) else default)


@pytest.mark.parametrize("op", cases.names())
def test_same_results_as_the_python_function(op):
    case = cases.case(op, "cpu")
    python = _fast.PYTHON[op]
    for sample in case.samples:
        for grad in (False, True):
            arguments = sample.make(case.float_dtype, grad=grad and not op.endswith("_"))
            signature = inspect.signature(python)
            for call in (
                lambda f, a: f(*a.args, **a.kwargs),
                lambda f, a, s=signature: f(**s.bind(*a.args, **a.kwargs).arguments),
            ):
                results = []
                for function in (getattr(ops, op), python):
                    torch.manual_seed(3)
                    results.append(call(function, clone(arguments)))
                if op in ("empty", "empty_like"):  # what is in its memory is left open
                    results = [torch.zeros_like(result) for result in results]
                exactly(*results)


def test_pickle_and_copy():
    assert pickle.loads(pickle.dumps(phi_torch.add)) is phi_torch.add
    assert copy.deepcopy(phi_torch.add) is phi_torch.add


# ---- what the fast way does not know ----


class Subclass(torch.Tensor):
    seen: ClassVar[list] = []

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        cls.seen.append(func)
        return super().__torch_function__(func, types, args, kwargs or {})


def test_subclasses_see_the_operator():
    Subclass.seen.clear()
    result = phi_torch.add(X.as_subclass(Subclass), Y)
    assert isinstance(result, Subclass) and torch.ops.phi.add.default in Subclass.seen
    assert isinstance(phi_torch.concat([X, Y.as_subclass(Subclass)]), Subclass)


def test_modes_see_the_operator():
    class Mode(TorchFunctionMode):
        seen: ClassVar[list] = []

        def __torch_function__(self, func, types, args=(), kwargs=None):
            self.seen.append(func)
            return func(*args, **(kwargs or {}))

    with Mode():
        phi_torch.add(X, Y)
    assert torch.ops.phi.add.default in Mode.seen


def test_parameters_and_devices():
    assert phi_torch.add(torch.nn.Parameter(X), Y).requires_grad
    for place in ("meta", torch.device("meta")):
        assert phi_torch.full([2], 1.0, place=place).is_meta
    assert phi_torch.full([2], 1.0, place="cpu").device.type == "cpu"


def test_numbers_of_other_libraries():
    numpy = pytest.importorskip("numpy")
    exactly(phi_torch.scale(X, numpy.float64(2)), phi_torch.scale(X, 2.0))
    exactly(phi_torch.softmax(X, numpy.int64(0)), phi_torch.softmax(X, 0))
    for number in (numpy.float32(1.5), numpy.float16(1.5), numpy.int64(2), numpy.uint8(2), numpy.complex64(2j), numpy.bool_(1)):
        exactly(phi_torch.full([numpy.int64(2)], number, torch.complex64), phi_torch.full([2], number.item(), torch.complex64))
    exactly(phi_torch.scale(X, numpy.float32(2), numpy.int32(1)), phi_torch.scale(X, 2.0, 1))


def test_a_list_of_integers_may_be_one_or_none():
    """As in Paddle; in the C function, in the Python function, and in a graph."""
    truths, image = X > 0, torch.randn(1, 2, 4, 4)
    by_python = _fast.PYTHON["all"], _fast.PYTHON["sum"]
    for all_, sum_ in ((phi_torch.all, phi_torch.sum), by_python):
        exactly(all_(truths, 1), truths.all(1))
        exactly(all_(truths, axis=-1, keepdim=True), truths.all(1, keepdim=True))
        exactly(all_(truths, None), truths.all())
        exactly(sum_(X, None), phi_torch.sum(X, []))
    exactly(phi_torch.all(truths, [torch.tensor(0)]), truths.all(0))
    step = torch.compile(lambda t: phi_torch.amax(t, 2), backend="aot_eager", fullgraph=True)
    exactly(step(image), image.amax(2))


def test_attributes_as_tensors():
    exactly(phi_torch.scale(X, torch.tensor(2.0)), phi_torch.scale(X, 2.0))
    exactly(phi_torch.sum(X, torch.tensor([1])), phi_torch.sum(X, 1))


def test_dynamo_traces_the_operator():
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph)
        return graph

    step = torch.compile(lambda x, y: phi_torch.softmax(phi_torch.add(x, y=y), axis=0), backend=backend, fullgraph=True)
    exactly(step(X, Y), phi_torch.softmax(phi_torch.add(X, Y), axis=0))
    targets = {node.target for node in graphs[0].graph.nodes}
    assert {torch.ops.phi.add.default, torch.ops.phi.softmax.default} <= targets


def test_symbolic_numbers():
    step = torch.compile(lambda x, n: phi_torch.reshape(x, [n, -1]), backend="aot_eager", fullgraph=True, dynamic=True)
    assert step(X, 2).shape == (2, 6) and step(X, 6).shape == (6, 2)


# ---- errors ----


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: phi_torch.add(X, 1),
            r"phi_torch.add\(\): argument 'y' \(position 2\): expected Tensor, got int. The sig.*add\(x, y, \*, out=None\)",
        ),
        (lambda: phi_torch.add(None, X), r"argument 'x' \(position 1\): expected Tensor, got NoneType"),
        (lambda: phi_torch.add(X, y="y"), r"argument 'y' \(position 2\): expected Tensor, got str"),
        (lambda: phi_torch.softmax(X, 1.5), r"softmax\(\): argument 'axis' \(position 2\): expected int, got float"),
        (lambda: phi_torch.gelu(X, "tanh"), r"argument 'approximate' \(position 2\): expected bool, got str"),
        (lambda: phi_torch.scale(X, "2"), r"argument 'scale' \(position 2\): expected a number, got str"),
        (lambda: phi_torch.layer_norm(X, epsilon=1j), r"argument 'epsilon' \(position 4\): expected float, got complex"),
        (lambda: phi_torch.layer_norm(X, 3), r"argument 'scale' \(position 2\): expected Tensor or None, got int"),
        (lambda: phi_torch.concat(X), r"argument 'x' \(position 1\): expected a list or tuple of Tensors, got Tensor"),
        (lambda: phi_torch.concat(3), r"argument 'x' \(position 1\): expected a list or tuple of Tensors, got int"),
        (
            lambda: phi_torch.concat([X, 3]),
            r"argument 'x' \(position 1\): expected a list or tuple of Tensors, got list\(Tensor, int\)",
        ),
        (lambda: phi_torch.cast(X, "float32"), r"argument 'dtype' \(position 2\): expected torch.dtype, got str"),
        (lambda: phi_torch.cast(X, None), r"argument 'dtype' \(position 2\): expected torch.dtype, got NoneType"),
        (lambda: phi_torch.sum(X, "1"), r"argument 'axis' \(position 2\): expected int, or a list or tuple of ints, got str"),
        (lambda: phi_torch.sum(X, [0, 1.0]), r"expected int, or a list or tuple of ints, got list\(float, int\)"),
        (lambda: phi_torch.transpose(X, "1"), r"'perm' \(position 2\): expected int, or a list or tuple of ints, got str"),
        (lambda: phi_torch.conv2d(X, X, padding_algorithm=1), r"\(position 5\): expected str, got int"),
        (lambda: phi_torch.add(X), r"add\(\) missing 1 required positional argument: 'y'"),
        (lambda: phi_torch.add(X, Y, X), r"add\(\) takes 2 positional arguments but 3 were given"),
        (lambda: phi_torch.add(X, Y, y=Y), r"add\(\) got multiple values for argument 'y'"),
        (lambda: phi_torch.add(X, z=Y), r"add\(\) has no argument 'z'. The signature is add\(x, y"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(TypeError, match=message):
        call()


def test_errors_of_the_operator_pass_through():
    with pytest.raises(ValueError, match="phi::add"):
        phi_torch.add(X, torch.randn(5))
    with pytest.raises(IndexError, match="'axis': expected a 32-bit integer"):
        phi_torch.softmax(X, 2**40)


# ---- memory and threads ----


def test_no_reference_is_kept():
    x, weight, bias, numbers = torch.randn(3, 4), torch.ones(4), torch.zeros(4), [3, 4]
    objects = (x, weight, bias, numbers)
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(50):
        phi_torch.layer_norm(x, weight, bias=bias)
        phi_torch.concat([x, weight.expand(3, 4)])
        phi_torch.reshape(x, numbers)
        phi_torch.relu_(x.clone())
        with pytest.raises(TypeError):
            phi_torch.layer_norm(x, weight, bias, "wrong")
    gc.collect()
    assert [sys.getrefcount(o) for o in objects] == before


def test_threads_compute_what_one_thread_does():
    """Twenty ops at random in eight threads."""
    names = [op for op in cases.names() if not cases.case(op, "cpu").is_random]
    calls = []
    for name in [n for n in names if not n.endswith("_")][:20]:
        case = cases.case(name, "cpu")
        for sample in case.samples[:3]:
            arguments = sample.make(case.float_dtype)
            calls.append((getattr(phi_torch, name), arguments, getattr(phi_torch, name)(*arguments.args, **arguments.kwargs)))
    assert len(calls) > 20
    errors = []

    def work(seed):
        choose = random.Random(seed)
        try:
            for _ in range(300):
                function, arguments, expected = choose.choice(calls)
                exactly(function(*arguments.args, **arguments.kwargs), expected)
        except Exception as error:  # handed to the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[0]


def test_lists_may_change_in_another_thread():
    """A call sees a list as it was at one moment, or raises what is wrong with it."""
    tensors, shape, errors, done = [torch.full((1, 4), float(i)) for i in range(4)], [2, 2], [], threading.Event()
    interval = sys.getswitchinterval()

    def change(seed):
        choose = random.Random(seed)
        while not done.is_set():
            tensors[:] = [torch.full((1, 4), float(i)) for i in range(choose.randint(0, 40))]
            tensors.append(choose.choice((object(), torch.ones(1, 4), None)))
            tensors.pop()
            shape[:] = choose.choice(([4, 1], [1, 4], [2, 2], [4], [1] * 5 + [4]))

    def call():
        try:
            for _ in range(300):
                try:
                    joined = phi_torch.concat(tensors, 0)
                    assert joined.shape[1] == 4 and joined[:-1, 0].tolist() == list(range(len(joined) - 1))
                except (TypeError, ValueError):  # an empty list, or one with what is no tensor
                    pass
                assert phi_torch.reshape(X[:1], shape).numel() == 4
        except BaseException as error:  # handed to the main thread
            errors.append(error)

    callers = [threading.Thread(target=call) for _ in range(4)]
    changers = [threading.Thread(target=change, args=(seed,)) for seed in range(2)]
    sys.setswitchinterval(1e-6)
    try:
        for thread in (*changers, *callers):
            thread.start()
        for thread in callers:
            thread.join()
    finally:
        done.set()
        sys.setswitchinterval(interval)
    for thread in changers:
        thread.join()
    assert not errors, errors[0]


@pytest.mark.skipif(not hasattr(sys, "_is_gil_enabled"), reason="Python before 3.13")
def test_the_lock_of_the_interpreter_stays_as_it_was():
    """Without it phi_torch does not bring it back."""
    code = "import sys, torch; before = sys._is_gil_enabled(); import phi_torch; assert sys._is_gil_enabled() == before"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ops.__all__)
def test_any_arguments_give_a_result_or_an_exception(name):
    choose = random.Random(name)
    objects: tuple[Any, ...] = (
        *(None, True, 0, 3, -7, 2**70, 1.5, float("nan"), 1j, "x", "NCHW", b"y", object(), {}, torch.float64, torch.device("cpu")),
        *([], [1, 2], [2.5], ["a"], (X,), [X, Y], [X, None], X, Y.int(), torch.zeros(0), torch.tensor(2), torch.ones(2, 2, 4, 4)),
    )
    function = getattr(phi_torch, name)
    size = len(inspect.signature(function).parameters)
    ran = 0
    for _ in range(300):
        arguments = [choose.choice(objects) for _ in range(choose.randint(1, size))]
        if choose.random() < 0.7:  # most calls begin with a tensor
            arguments[0] = choose.choice((X, torch.ones(2, 2, 4, 4), [X, Y]))
        try:
            function(*(a.clone() if isinstance(a, torch.Tensor) else a for a in arguments))
            ran += 1
        except (TypeError, ValueError, RuntimeError, IndexError, NotImplementedError, OverflowError):
            pass
    assert ran < 300
