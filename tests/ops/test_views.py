"""Views of plain tensors, which are made without torch's dispatcher: to torch they are like its own."""

import math

import pytest
import torch

import phi_torch

VIEWS = {
    "expand": (lambda x: phi_torch.expand(x, [2, 3, 1, 4]), lambda x: x.expand(2, 3, 1, 4)),
    "expand, ones in front": (lambda x: phi_torch.expand(x, [1, 3, 1, 4]), lambda x: x.expand(1, 3, 1, 4)),
    "expand, repeats": (lambda x: phi_torch.expand(x, [-1, 5, -1]), lambda x: x.expand(-1, 5, -1)),
    "flatten": (lambda x: phi_torch.flatten(x, 1, 2), lambda x: x.flatten(1, 2)),
    "reshape": (lambda x: phi_torch.reshape(x, [2, -1]), lambda x: x.reshape(2, -1)),
    "slice": (lambda x: phi_torch.slice(x, [0, 2], [1, 1], [3, 3], [1, 1], []), lambda x: x[1:3, :, 1:3]),
    "slice, one": (lambda x: phi_torch.slice(x, [0], [1], [2], [1], [0]), lambda x: x[1]),
    "squeeze": (lambda x: phi_torch.squeeze(x, [1]), lambda x: x.squeeze(1)),
    "squeeze, none": (lambda x: phi_torch.squeeze(x, [0]), lambda x: x.squeeze(0)),
    "transpose": (lambda x: phi_torch.transpose(x, [2, 0, 1]), lambda x: x.permute(2, 0, 1)),
    "unbind": (lambda x: phi_torch.unbind(x, 2)[1], lambda x: x.unbind(2)[1]),
    "unsqueeze": (lambda x: phi_torch.unsqueeze(x, [0, -1]), lambda x: x.unsqueeze(0).unsqueeze(-1)),
    "unsqueeze, inside": (lambda x: phi_torch.unsqueeze(x, [1]), lambda x: x.unsqueeze(1)),
}


def tensor(*shape: int) -> torch.Tensor:
    shape = shape or (3, 1, 4)
    return torch.arange(float(math.prod(shape))).reshape(shape)


@pytest.fixture(params=[*VIEWS.values()], ids=[*VIEWS])
def both(request):
    return request.param


@pytest.mark.parametrize(
    "base",
    [tensor, lambda: tensor(6, 1, 4)[1:4], lambda: tensor(4, 1, 3).permute(2, 1, 0)],
    ids=["whole", "part", "strided"],
)
def test_is_the_view_that_torch_makes(both, base):
    ours, torchs = both
    x = base()
    view, expected = ours(x), torchs(x)
    assert torch.equal(view, expected)
    assert (view.stride(), view.storage_offset()) == (expected.stride(), expected.storage_offset())
    assert view._is_view() == expected._is_view() and view._base is expected._base


def test_shares_memory_and_version(both):
    x = tensor()
    view = both[0](x)
    x.add_(1)
    assert view._version == x._version == 1
    assert torch.equal(view, both[1](x))


def test_a_view_may_be_written_with_gradients(both):
    """A gradient goes through the view to its base, and torch refuses where it refuses it for its own views."""
    x, factor = tensor(), torch.tensor(2.0, requires_grad=True)

    def run(make):
        base = x.clone()
        view = make(base)
        view.mul_(factor)
        return torch.autograd.grad(base.sum(), factor)[0]

    try:
        expected = run(both[1])
    except RuntimeError as error:
        with pytest.raises(RuntimeError, match=str(error).split("\n")[0][:40].replace("(", ".").replace(")", ".")):
            run(both[0])
    else:
        torch.testing.assert_close(run(both[0]), expected)


def test_a_view_made_without_grad_mode_is_refused_in_place(both):
    x = tensor()
    with torch.no_grad():
        view = both[0](x)
    factor = torch.tensor(2.0, requires_grad=True)
    with pytest.raises(RuntimeError, match="no_grad mode|single memory location"):
        view.mul_(factor)


def test_inference_mode(both):
    with torch.inference_mode():
        view = both[0](tensor())
        assert view.is_inference() and torch.equal(view, both[1](tensor()))


def test_copies_and_gradients_of_a_view(both):
    x = tensor()
    leaf = both[0](x).detach().clone().requires_grad_()
    leaf.sum().backward()
    assert leaf.grad.eq(1).all()
    (of_x,) = torch.autograd.grad(both[0](x.requires_grad_()).sum(), x)
    (expected,) = torch.autograd.grad(both[1](x).sum(), x)
    assert torch.equal(of_x, expected)


@pytest.mark.parametrize("shape", [(0, 3), (), (2, 0, 1)])
def test_of_no_or_one_element(shape):
    x = torch.ones(shape)
    pairs = [
        (phi_torch.unsqueeze(x, [0]), x.unsqueeze(0)),
        (phi_torch.flatten(x, 0, -1), x.flatten()),
        (phi_torch.squeeze(x), x.squeeze()),
    ]
    for view, expected in pairs:
        assert (view.shape, view.stride()) == (expected.shape, expected.stride())


@pytest.mark.parametrize("dtype", [torch.int8, torch.bfloat16, torch.float32, torch.float64, torch.complex128], ids=str)
@pytest.mark.parametrize("shape", [(70, 131), (3, 65, 70), (4096, 2200)], ids=str)
def test_reshape_copies_what_is_no_view(shape, dtype):
    """Tiles of whole and of partial blocks, in the caches and past them."""
    x = torch.arange(math.prod(shape)).reshape(shape).remainder(127).to(dtype).transpose(-1, -2)
    flat = phi_torch.reshape(x, [-1])
    assert torch.equal(flat, x.reshape(-1)) and not flat._is_view() and flat.is_contiguous()


@pytest.mark.parametrize(("name", "attributes", "shape"), [("flatten_", (0, 2), r"\[12\]"), ("reshape_", ([2, 6],), r"\[2, 6\]")])
def test_a_shape_that_is_no_view_is_refused_in_place(name, attributes, shape):
    x = tensor(4, 1, 3).permute(2, 1, 0)
    with pytest.raises(RuntimeError, match=rf"phi::{name}: argument 'x': expected .* {shape} .* got .*\[3, 1, 4\] .*\[1, 3, 3\]"):
        getattr(phi_torch, name)(x, *attributes)
    assert x.shape == (3, 1, 4) and torch.equal(x, tensor(4, 1, 3).permute(2, 1, 0))
