import torch

from ..sample import Error, Given, Sample, T

DATA_DEPENDENT = True
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")


def numbers(*rows, dtype=None):
    return Given(torch.tensor(rows, dtype=dtype or torch.int64))


NEIGHBORS, COUNT = numbers(8, 9, 0, 4, 7, 6, 7), numbers(2, 3, 2, dtype=torch.int32)
DTYPES = (torch.int64,)
SAMPLES = [
    Sample(numbers(0, 1, 2), NEIGHBORS, COUNT, None, None),
    Sample(numbers(7, 1, 7), NEIGHBORS, COUNT, None, None),  # of nodes that are there twice the last one
    Sample(numbers(4, 5), numbers(5, 9, 4, 6), numbers(1, 1, 0, 2), None, None),  # edges of two types
    Sample(numbers([3], [1]), numbers([3], [1], [1]), numbers([0], [3], dtype=torch.int32), numbers(0, 0), numbers(0, 0)),
    Sample(numbers(4, 5, dtype=torch.int32), numbers(5, 9, dtype=torch.int32), numbers(1, 1), None, None),
    Sample(numbers(4, 5), T(0, dtype=torch.int64), numbers(0, 0), None, None),
    Sample(T(0, dtype=torch.int64), T(0, dtype=torch.int64), T(0, dtype=torch.int32), None, None),
]
ERRORS = [
    Error(ValueError, r"'x'.*a vector or a column.*\[2, 2\]", T(2, 2, dtype=torch.int64), NEIGHBORS, COUNT, None, None),
    Error(ValueError, r"'count'.*for each of the 2 nodes.*\[3\]", numbers(0, 1), NEIGHBORS, COUNT, None, None),
    Error(ValueError, r"'count'.*sum 7.*got 6", numbers(0, 1, 2), NEIGHBORS, numbers(2, 3, 1), None, None),
    Error(ValueError, r"'count'.*no negative number, got -1", numbers(0, 1, 2), NEIGHBORS, numbers(2, 6, -1), None, None),
    Error(ValueError, r"'neighbors'.*data type int64 as 'x'", numbers(0, 1, 2), T(7, dtype=torch.int32), COUNT, None, None),
    Error(TypeError, r"'count'.*int32 or int64", numbers(0), numbers(1), T(1, dtype=torch.float32, grad=False), None, None),
]


def reference(x, neighbors, count, hashtable_value, hashtable_index):
    nodes = x.flatten().tolist()
    place = {node: i for i, node in enumerate(nodes)}
    for node in neighbors.flatten().tolist():
        if node not in place:
            place[node] = len(nodes)
            nodes.append(node)
    src = [place[node] for node in neighbors.flatten().tolist()]
    targets = x.flatten().tolist() * (count.numel() // max(x.numel(), 1))
    dst = [place[node] for node, edges in zip(targets, count.flatten().tolist()) for _ in range(edges)]
    return tuple(torch.tensor(found, dtype=x.dtype) for found in (src, dst, nodes))
