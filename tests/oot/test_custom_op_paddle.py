"""The sources of custom_ops/ build with Paddle too, and compute the same there: values, what is overwritten, gradients."""

from __future__ import annotations

import pickle
import subprocess

import numpy as np
import pytest
import torch

from phi_torch import _oracle

from . import _paddle_calls

# Paddle's outputs, where torch's operator leaves out what it overwrites
OUTPUTS = {
    "two_inplace": lambda arguments, out: [arguments[0], out, arguments[2]],
    "add_to_list": lambda arguments, out: arguments[0],
    "add_both": lambda arguments, out: [out, arguments[1]],
}

pytestmark = [pytest.mark.oracle, pytest.mark.slow]


@pytest.fixture(scope="module")
def paddle_results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paddle_ops")
    subprocess.run([_oracle.python(), _paddle_calls.__file__, folder], check=True, stdout=subprocess.DEVNULL, timeout=900)
    return pickle.loads((folder / "results.pickle").read_bytes())


def leaf(value):
    return torch.tensor(value, requires_grad=True)


def array(tensor):
    return None if tensor is None else tensor.detach().numpy()


@pytest.mark.parametrize("index", range(len(_paddle_calls.CALLS)), ids=[name for name, _ in _paddle_calls.CALLS])
def test_same_as_paddle(build_sources, paddle_results, index):
    assert build_sources("paddle_ops", _paddle_calls.SOURCES) == []
    name, values = _paddle_calls.CALLS[index]
    outputs = {"outputs": OUTPUTS[name]} if name in OUTPUTS else {}
    ours = _paddle_calls.call(name, values, getattr(torch.ops.paddle_ops, name), leaf, array, **outputs)
    for what, got, expected in zip(("output", "argument", "gradient"), ours, paddle_results[index]):
        assert [a is None for a in got] == [a is None for a in expected], what
        for a, b in zip(got, expected):
            if a is not None:
                assert a.dtype == b.dtype and a.shape == b.shape, what
                np.testing.assert_allclose(a, b, rtol=1e-12, err_msg=what)
