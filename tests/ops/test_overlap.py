"""Calls that write into memory which they also read."""

import pytest
import torch

import phi_torch

OPS = torch.ops.phi


def refuses(call, *words):
    with pytest.raises(RuntimeError, match="memory") as caught:
        call()
    for word in words:
        assert word in str(caught.value), caught.value


def x(*shape):
    return torch.arange(1.0, 1 + torch.Size(shape).numel()).reshape(shape)


INDEX = torch.tensor([2, 0, 1])
PARTS = {
    "add_": (x(3, 3), lambda q: OPS.add_(q, q[1])),
    "add_ of an expanded row": (x(3, 3), lambda q: OPS.add_(q, q[1].expand(3, 3))),
    "add_ of columns": (x(3, 3), lambda q: OPS.add_(q[:, :2], q[:, 1:])),
    "multiply_": (x(3, 3), lambda s: OPS.multiply_(s, s.t())),
    "square": (x(100), lambda v: OPS.square.out(v[:99], out=v[1:])),
    "cast": (x(4), lambda v: OPS.cast.out(v[:2], torch.float64, out=v.view(torch.float64))),
    "where": (x(5), lambda v: OPS.where.out(v[:4] > 2, v[:4], v[:4], out=v[1:])),
}
ANY = {
    "concat": (x(4), lambda v: OPS.concat.out([v[3:], v[:3]], 0, out=v)),
    "stack": (x(2, 2), lambda v: OPS.stack.out([v[1], v[0]], 0, out=v)),
    "gather": (x(3, 3), lambda v: OPS.gather.out(v, INDEX, 0, out=v)),
    "index_select": (x(3, 3), lambda v: OPS.index_select.out(v, INDEX, 0, out=v)),
    "matmul": (x(3, 3), lambda v: OPS.matmul.out(v, v, out=v)),
    "bmm": (x(2, 3, 3), lambda v: OPS.bmm.out(v, v.clone(), out=v)),
    "fc": (x(3, 3), lambda v: OPS.fc.out(v, v.clone(), None, out=v)),
    "topk": (x(3), lambda v: OPS.topk.out(v, 3, out=v, indices=INDEX.clone())),
    "pool2d": (x(1, 1, 3, 3), lambda v: OPS.pool2d.out(v, [3, 3], [1, 1], [1, 1], out=v)),
    "sgd_": (x(3), lambda v: OPS.sgd_(v, torch.tensor(0.1), v, None)),
    "momentum_": (x(3), lambda v: OPS.momentum_(v, x(3), v, torch.tensor(0.1), None, 0.9)),
    "merged_momentum_": (
        x(6),
        lambda v: phi_torch.merged_momentum_([v[:4], v[3:]], [x(4), x(3)], [x(4), x(3)], [torch.tensor(0.1)], None, 0.9),
    ),
    "batch_norm_": (x(2), lambda v: OPS.batch_norm_(x(3, 2), v, v, None, None)),
    "two outputs": (torch.zeros(3, dtype=torch.int64), lambda v: OPS.topk.out(INDEX, 3, out=v, indices=v)),
}
ITSELF = {
    "expanded": lambda: OPS.relu_(x(1).expand(3)),
    "as_strided": lambda: OPS.relu_(x(5).as_strided((3, 3), (1, 1))),
    "out": lambda: OPS.square.out(x(3), out=x(1).expand(3)),
    "list": lambda: phi_torch.merged_momentum_([x(1).expand(3)], [x(3)], [x(3)], [torch.tensor(0.1)], None, 0.9),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_part_in_common_is_refused(name):
    tensor, call = PARTS[name]
    refuses(lambda: call(tensor))


@pytest.mark.parametrize("name", ANY)
def test_all_in_common_is_refused_unless_elementwise(name):
    tensor, call = ANY[name]
    refuses(lambda: call(tensor))


@pytest.mark.parametrize("name", ITSELF)
def test_a_tensor_that_overlaps_itself_is_refused(name):
    refuses(ITSELF[name], "clone()")


def test_the_message_says_what_to_do():
    q = x(3, 3)
    refuses(lambda: OPS.add_(q, q[1]), "phi::add_", "'x'", "'y'", "y.clone()")
    refuses(lambda: OPS.matmul.out(q, x(3, 3), out=q), "phi::matmul", "'out'", "'x'", "x.clone()")


def test_what_is_apart_or_the_same_is_right():
    q = x(3, 4)
    expected = q[:, :2] + q[:, 2:]
    assert OPS.add_(q[:, :2], q[:, 2:]).equal(expected)  # between each other
    v = x(6)
    assert OPS.add_(v[::2], v[1::2]).equal(torch.tensor([3.0, 7.0, 11.0]))
    v = x(3, 3)
    assert OPS.add.out(v, v, out=v).equal(2 * x(3, 3))
    assert OPS.multiply_(v, v).equal(4 * x(3, 3) ** 2)
    assert OPS.square.out(x(1, 3), out=v[:1]).equal(x(1, 3) ** 2)
    v = x(3)
    assert OPS.square.out(v, out=v.view(1, 3)[0]).equal(x(3) ** 2)
    t = x(3, 2).t()
    assert OPS.square.out(t, out=t).equal(x(3, 2).t() ** 2)
    v = x(3, 3)
    assert OPS.softmax.out(v, out=v).allclose(torch.softmax(x(3, 3), -1))  # `inplace : (x -> out)` in its entry
    flat = x(6)
    phi_torch.merged_momentum_([flat[:3], flat[3:]], [x(3), x(3)], [x(3), x(3)], [torch.tensor(0.0)], None, 0.9)
    assert flat.equal(x(6))


def test_a_tensor_that_shares_its_storage_is_not_resized():
    v = x(3)
    with pytest.raises(ValueError, match=r"expected the shape .*2, 3.*got .*3"):
        OPS.add.out(v, x(2, 3), out=v)
    assert v.equal(x(3))
    v = x(100)
    with pytest.raises(ValueError, match="not resized"):
        OPS.square.out(v[10:30], out=v[:10])
    with pytest.raises(ValueError, match="not resized"):
        OPS.square.out(v, out=v[:0])
    assert OPS.square.out(x(3), out=torch.empty(0)).equal(x(3) ** 2)


def test_tensors_without_data_are_checked_alike():
    q = torch.empty(3, 3, device="meta")
    refuses(lambda: OPS.add_(q, q[1]), "'y'")
    refuses(lambda: OPS.matmul.out(q, q, out=q))
    assert OPS.add_(q[:, :1], q[:, 1:2]).shape == (3, 1)


def test_compiled_is_as_eager_where_eager_computes():
    def step(v):
        phi_torch.add_(v[:, :2], v[:, 2:])
        OPS.multiply.out(v, v, out=v)
        return phi_torch.softmax_(v)

    torch._dynamo.reset()
    eager, compiled = x(3, 4), x(3, 4)
    expected = step(eager)
    torch.testing.assert_close(torch.compile(step, backend="aot_eager")(compiled), expected)
    torch.testing.assert_close(compiled, eager)
