"""sync_batch_norm in several processes, each with a part of the batch, is batch_norm of all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing as mp

import phi_torch

PARTS = (3, 1)  # images of each process


def tensors() -> list[torch.Tensor]:
    """x, mean, variance, scale, bias and the gradient of the result."""
    torch.manual_seed(0)
    x, out_grad = torch.randn(2, sum(PARTS), 5, 2, 3, dtype=torch.float64)
    vectors = [torch.rand(5, dtype=torch.float64) + 0.5 for _ in range(4)]  # of their own memory: two are written
    return [x, *vectors, out_grad]


def part(rank: int, file: str, queue: mp.SimpleQueue) -> None:
    dist.init_process_group("gloo", init_method=f"file://{file}", rank=rank, world_size=len(PARTS))
    x, mean, variance, scale, bias, out_grad = tensors()
    x, out_grad = (t.split(PARTS)[rank].clone() for t in (x, out_grad))
    for t in (x, scale, bias):
        t.requires_grad_()
    out, _, _, saved_mean, saved_variance, _ = phi_torch.sync_batch_norm_(x, mean, variance, scale, bias)
    out.backward(out_grad)
    found = [out, mean, variance, saved_mean, saved_variance, x.grad, scale.grad, bias.grad]
    queue.put([t.detach().numpy() for t in found])
    dist.destroy_process_group()


@pytest.mark.skipif(not dist.is_available(), reason="torch without distributed")
def test_processes_share_the_statistics(tmp_path: Path):
    context = mp.get_context("spawn")
    queues = [context.SimpleQueue() for _ in PARTS]
    file = str(tmp_path / "store")
    processes = [context.Process(target=part, args=(rank, file, queue)) for rank, queue in enumerate(queues)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
        assert process.exitcode == 0
    found = [[torch.from_numpy(a) for a in queue.get()] for queue in queues]

    x, mean, variance, scale, bias, out_grad = tensors()
    for t in (x, scale, bias):
        t.requires_grad_()
    out, mean_out, variance_out, saved_mean, saved_variance, _ = phi_torch.batch_norm(x, mean, variance, scale, bias)
    out.backward(out_grad)
    for at, expected in ((0, out), (5, x.grad)):
        torch.testing.assert_close(torch.cat([one[at] for one in found]), expected.detach())
    for at, expected in ((6, scale.grad), (7, bias.grad)):
        torch.testing.assert_close(sum(one[at] for one in found), expected)
    for at, expected in ((1, mean_out), (2, variance_out), (3, saved_mean), (4, saved_variance)):
        for one in found:
            torch.testing.assert_close(one[at], expected.detach())
