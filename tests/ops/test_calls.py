# mypy: disable-error-code="arg-type, call-arg, list-item"
"""What a call says of arguments that it cannot take, and the keyword `out`."""

import itertools

import pytest
import torch

import phi_torch

from . import cases

X = torch.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("call", "words"),
    (
        (
            lambda: phi_torch.softmax(X, dim=-1),
            "has no argument 'dim'; did you mean 'axis'? The signature is softmax(x, axis=-1",
        ),
        (lambda: phi_torch.softmax(input=X), "did you mean 'x'?"),
        (lambda: phi_torch.sum(X, axis=0, keep_dim=True), "did you mean 'keepdim'?"),
        (lambda: phi_torch.add(X, other=X), "phi_torch.add() has no argument 'other'; did you mean 'y'?"),
        (lambda: phi_torch.relu_(input=X), "did you mean 'x'?"),
        (lambda: phi_torch.gelu(X, aproximate=True), "did you mean 'approximate'?"),
        (lambda: phi_torch.relu(X, nonsense=1), "has no argument 'nonsense'. The signature is relu(x, *, out=None)"),
    ),
)
def test_an_unknown_keyword_shows_what_was_meant(call, words):
    with pytest.raises(TypeError) as caught:
        call()
    assert words in str(caught.value)


def test_out():
    out = torch.empty(2, 3)
    assert phi_torch.square(X, out=out) is out and out.equal(X**2)
    assert phi_torch.concat([X, X], 0, out=torch.empty(0)).equal(torch.cat([X, X]))
    assert phi_torch.scale(X, torch.tensor(2.0), out=out).equal(2 * X)
    assert phi_torch.full(torch.tensor([2, 3]), 7.0, out=out).equal(torch.full((2, 3), 7.0))
    values, places = torch.empty(2, 1), torch.empty(2, 1, dtype=torch.int64)
    result = phi_torch.topk(X, 1, out=(values, places))
    assert result[0] is values and result[1] is places and values.equal(torch.tensor([[2.0], [5.0]]))
    with pytest.raises(TypeError, match=r"topk\(\): argument 'out': expected a tuple of the 2 tensors .*, got Tensor"):
        phi_torch.topk(X, 1, out=values)
    with pytest.raises(TypeError, match="got 1 of them"):
        phi_torch.topk(X, 1, out=(values,))


def test_an_out_of_another_shape_is_resized_with_torchs_warning():
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning, match=r"An output.*was resized since it had shape \[4\].*\[2, 3\]"):
            out = phi_torch.square(X, out=torch.ones(4))
    finally:
        torch.set_warn_always(False)
    assert out.equal(X**2)


def _targets(op):
    return [a.name for a in cases.case(op).overload.out._schema.arguments if a.kwarg_only and a.is_write]


SEVERAL = [op for op in cases.names() if hasattr(cases.case(op).overload, "out") and len(_targets(op)) > 1]


@pytest.mark.parametrize("device", ("cpu", "meta"))
@pytest.mark.parametrize("op", SEVERAL)
def test_an_out_that_is_refused_leaves_the_others_as_they_were(op, device):
    case, names = cases.case(op), _targets(op)
    arguments = case.plain_samples()[0].make(case.float_dtype)
    results = case.overload.default(*case.positional(arguments))
    for refused in range(len(names)):
        outs = [torch.empty(0, dtype=t.dtype, device=device) for t in results]
        outs[refused] = torch.empty(0, dtype=_other(results[refused].dtype), device=device)
        with pytest.raises((TypeError, NotImplementedError), match="expected data type|no fake impl"):
            case.overload.out(*case.positional(arguments.map(lambda t: t.to(device))), **dict(zip(names, outs, strict=True)))
        assert all(t.shape == (0,) for t in outs)


def _other(dtype):
    return torch.int8 if dtype.is_complex else torch.complex128


def test_out_compiled():
    def step(x):
        out = torch.empty_like(x)
        phi_torch.square(x, out=out)
        return out + phi_torch.exp(x, out=torch.empty_like(x))

    torch._dynamo.reset()
    torch.testing.assert_close(torch.compile(step, fullgraph=True, backend="aot_eager")(X), step(X))


def test_meta_and_real_tensors_do_not_mix():
    meta = torch.empty(2, 3, device="meta")
    for arguments in ((X, meta), (meta, X)):
        with pytest.raises(ValueError, match="phi::add: .*expected a tensor on meta like another of the call, got one on cpu"):
            phi_torch.add(*arguments)
    with pytest.raises(ValueError, match="argument 'out'"):
        torch.ops.phi.add.out(meta, meta, out=X.clone())
    with pytest.raises(ValueError, match="argument 'x'"):
        phi_torch.concat([X, meta])
    assert phi_torch.add(meta, torch.tensor(1.0)).is_meta


def test_a_list_of_no_length():
    for x in (X, X.to("meta")):
        for num in (-1, -(2**40), 2**40):
            with pytest.raises((ValueError, IndexError), match="phi::split_with_num: .*(length from 0|32-bit)"):
                phi_torch.split_with_num(x, num, 0)
        with pytest.raises(ValueError, match="expected at least 1, got 0"):
            phi_torch.split_with_num(x, 0, 0)


DTYPES = (torch.float32, torch.float64, torch.float16, torch.complex64, torch.complex128, torch.int32, torch.int64, torch.bool)


@pytest.mark.parametrize("op", cases.names())
def test_other_dtypes_are_the_same_on_meta(op):
    """One argument of another dtype: the same result dtypes, or refused by both. Which kernels there are, only a device knows."""
    case = cases.case(op)
    for sample in case.plain_samples()[:1]:
        arguments = sample.make(case.float_dtype)
        tensors = arguments.tensors()
        for other, dtype in itertools.product(tensors if len(tensors) > 1 else (), DTYPES):
            changed = arguments.map(lambda t, o=other, d=dtype: t.to(d) if t is o else t)
            real, meta = (_dtypes(case, changed.map(lambda t, d=d: t.detach().clone().to(d))) for d in ("cpu", "meta"))
            says_nothing = case.info.data_dependent and isinstance(meta, RuntimeError)
            if not isinstance(real, NotImplementedError) and not says_nothing:
                assert isinstance(real, Exception) == isinstance(meta, Exception), (dtype, real, meta)
                assert isinstance(real, Exception) or real == meta, (dtype, real, meta)


def _dtypes(case, arguments):
    try:
        return [t.dtype for t in torch.utils._pytree.tree_leaves(case.call(arguments)) if t is not None]
    except (TypeError, ValueError, RuntimeError, IndexError) as error:
        return error


@pytest.mark.parametrize("device", ("mps", "xpu", "xla"))
@pytest.mark.parametrize("make", ("full", "full_like", "empty", "uniform"))
def test_a_device_that_no_kernel_runs_on(make, device):
    arguments = {"full": ([2], 1.0), "full_like": (X, 1.0), "empty": ([2],), "uniform": ([2],)}[make]
    words = rf"phi::{make}: .*expected a device of the kind cpu, cuda or .*, got '{device}.*\.to\('cpu'\)"
    with pytest.raises(NotImplementedError, match=words):
        getattr(phi_torch, make)(*arguments, place=torch.device(device))
    with pytest.raises(NotImplementedError, match=words):
        getattr(torch.ops.phi, make)(*arguments, device=device)


def test_the_device_meta_has_shapes_alone():
    assert phi_torch.full([2, 3], 1.0, place=torch.device("meta")).shape == (2, 3)


MADE_OF_NOTHING = {
    "full": ([2], 1.0),
    "full of a size": (torch.tensor([2]), 1.0),
    "arange": (0, 5),
    "eye": (2, 3),
    "gaussian": ([2], 0.0, 1.0, 0, torch.float32),
    "randperm": (4, torch.int64),
    "tril_indices": (3, 3, 0, torch.int64),
}


@pytest.mark.parametrize("name", MADE_OF_NOTHING)
def test_what_is_made_of_nothing_lies_on_the_device_that_is_set(name):
    function, arguments = getattr(phi_torch, name.split()[0]), MADE_OF_NOTHING[name]
    with torch.device("meta"):
        assert function(*arguments).is_meta
        assert function(*arguments, place="cpu").is_cpu
    assert function(*arguments).is_cpu
    torch.set_default_device("meta")
    try:
        assert function(*arguments).is_meta
    finally:
        torch.set_default_device(None)


def test_the_device_that_is_set_in_a_compiled_function():
    function = torch.compile(lambda: phi_torch.full([2], 1.0) + 1, backend="aot_eager", fullgraph=True)
    assert function().is_cpu
    with torch.device("meta"):
        assert function().is_meta
    assert function().is_cpu


def test_given_memory_and_strings_stay_where_they_are():
    with torch.device("meta"):
        assert torch.equal(phi_torch.full([2], 3.0, out=torch.empty(2, device="cpu")), torch.full([2], 3.0, device="cpu"))
        assert phi_torch.strings_empty([2]).tolist() == ["", ""]


def test_numbers_that_only_vmap_sees_write_nothing_elsewhere():
    """Torch's repeat_interleave, in C, goes past its result where one is negative."""
    x, repeats = torch.randn(4, 3, 5), torch.tensor([[500, -498, 0]] * 4)
    call = torch.func.vmap(lambda x, repeats: phi_torch.repeat_interleave_with_tensor_index(x, repeats, 0, 2))
    assert call(x, repeats).shape == (4, 2, 5)
    torch.testing.assert_close(call(x, torch.tensor([[0, 1, 1]] * 4)), x[:, 1:])


def test_written_under_vmap():
    x, rate = torch.randn(3, 5), torch.tensor([0.1])
    mapped = torch.func.vmap(lambda row: phi_torch.softmax_(row * 1, 0))
    assert torch.equal(mapped(x), phi_torch.softmax(x, 1))
    left = x - 0.1 * x
    torch.func.vmap(lambda row: phi_torch.sgd_(row, rate, row.clone())[0])(x)
    torch.testing.assert_close(x, left)
    with pytest.raises(RuntimeError, match="cannot overwrite its argument 'param', which is not batched"):
        torch.func.vmap(lambda row: phi_torch.sgd_(x[0], rate, row)[0])(x)
