"""What no emulated GPU has: CUDA graphs, streams, and the current device of CUDA."""

import pytest
import torch

import phi_torch

pytestmark = pytest.mark.gpu
CALLS = {
    "relu": phi_torch.relu,
    "softmax": phi_torch.softmax,
    "sum": lambda x: phi_torch.sum(x, [1]),
    "cumsum": phi_torch.cumsum,
    "topk": lambda x: phi_torch.topk(x, 5)[0],
    "matmul": lambda x: phi_torch.matmul(x, x.t()),
    "concat": lambda x: phi_torch.concat([x, x], 1),
}
every_call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)


def numbers(seed, device="cuda"):
    return torch.rand(40, 700, generator=torch.Generator().manual_seed(seed)).to(device)


@every_call
def test_graph(call):
    x = numbers(0)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        call(x)  # libraries get ready
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = call(x)
    x.copy_(numbers(1))
    graph.replay()
    torch.testing.assert_close(out, call(x), rtol=1e-5, atol=1e-5)


@every_call
def test_stream(call):
    """A call on a stream comes after what the stream still has to do, and does not wait for it."""
    x = numbers(0)
    expected = call(numbers(1))
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    y = numbers(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)
        x.copy_(y)
        out = call(x)
        assert not stream.query()
    stream.synchronize()
    torch.testing.assert_close(out, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two CUDA devices")
@every_call
def test_second_device(call):
    with torch.cuda.device(0):
        out = call(numbers(0, "cuda:1"))
        assert torch.cuda.current_device() == 0
    assert out.device == torch.device("cuda:1")
    torch.testing.assert_close(out.cpu(), call(numbers(0)).cpu(), rtol=1e-5, atol=1e-5)
