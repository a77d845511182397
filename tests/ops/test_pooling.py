"""Where the gradient of a maximum goes: to the first one of its window, row by row."""

import itertools

import pytest
import torch

import phi_torch

WINDOWS = [(2, 2, 0), (3, 2, 1), (3, 1, 1), (3, 3, 0), (2, 3, 0), (5, 2, 2), (7, 2, 3), (1, 2, 0)]  # kernel, stride, padding


def images(rows: int, columns: int) -> torch.Tensor:
    """Planes with many equal elements, with infinities, with NaN, and of the least value alone."""
    x = torch.randint(-2, 3, (2, 5, rows, columns), generator=torch.Generator().manual_seed(0)).double()
    x[0, 1, rows // 2] = -torch.inf
    x[0, 2, :, columns // 2] = torch.inf
    x[1, 0, rows // 3, ::3] = torch.nan
    x[1, 1] = -torch.inf
    return x


def first_maxima(x: torch.Tensor, grad: torch.Tensor, kernel: int, stride: int, padding: int) -> torch.Tensor:
    result = torch.zeros_like(x)
    batch, channels, rows, columns = x.shape
    for n, c, i, j in itertools.product(range(batch), range(channels), range(grad.shape[2]), range(grad.shape[3])):
        top, left = i * stride - padding, j * stride - padding
        window = [
            (row, column)
            for row in range(max(top, 0), min(top + kernel, rows))
            for column in range(max(left, 0), min(left + kernel, columns))
        ]
        values = [x[n, c, row, column].item() for row, column in window]
        best = next((k for k, v in enumerate(values) if v != v), None)
        row, column = window[values.index(max(values)) if best is None else best]
        result[n, c, row, column] += grad[n, c, i, j]
    return result


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize(("kernel", "stride", "padding"), WINDOWS)
def test_the_gradient_goes_to_the_first_maximum(kernel, stride, padding, layout, dtype):
    x = images(11, 39)
    last = layout == "NHWC"
    given = (x.permute(0, 2, 3, 1).contiguous() if last else x).to(dtype).requires_grad_()
    sizes = [kernel] * 2, [stride] * 2, [padding] * 2
    out = phi_torch.pool2d(given, *sizes, data_format=layout, pooling_type="max")
    grad = torch.arange(1, out.numel() + 1, dtype=torch.float64).remainder(7).reshape(out.shape)
    (of_x,) = torch.autograd.grad(out, [given], grad.to(dtype))
    grad, of_x = (t.permute(0, 3, 1, 2) if last else t for t in (grad, of_x))
    torch.testing.assert_close(of_x.double(), first_maxima(x, grad, kernel, stride, padding), rtol=0, atol=0)


def test_global_pooling_counts_before_adaptive_pooling():
    """That of PaddlePaddle is the image itself: docs/decisions.md, 104."""
    x = torch.randn(2, 3, 4, 5)
    out, mask = phi_torch.max_pool2d_with_index(x, [2, 2], global_pooling=True, adaptive=True)
    assert torch.equal(out, x.amax((2, 3), keepdim=True)) and torch.equal(mask.flatten(), x.flatten(2).argmax(2).flatten().int())
    mean = phi_torch.pool2d(x, [2, 2], [1, 1], [0, 0], False, True, "NCHW", "avg", True, True, "EXPLICIT")
    torch.testing.assert_close(mean, x.mean((2, 3), keepdim=True))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("window", [(2, 2, 2), (1, 3, 2), (3, 1, 2)])
def test_gradients_of_windows_beside_each_other(window, dtype):
    """With and without elements that are in no window; rows that fill vectors and rows that do not."""
    for beyond, columns in itertools.product(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), (1, 3, 16, 21)):
        sizes = [count * kernel + more for count, kernel, more in zip((2, 3, columns), window, beyond)]
        x = torch.randint(-2, 3, (2, 3, *sizes), generator=torch.Generator().manual_seed(0)).to(dtype).requires_grad_()
        out = phi_torch.pool3d(x, window, window, pooling_type="max")
        expected = torch.nn.functional.max_pool3d(x, window)
        grad = torch.arange(out.numel()).remainder(7).to(dtype).reshape(out.shape)
        assert torch.equal(*(torch.autograd.grad(o, x, grad)[0] for o in (out, expected)))
