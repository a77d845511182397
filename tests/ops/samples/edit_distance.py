import torch

from ..sample import Error, Sample, T

UNROLLED = True


def words(*shape):
    return T(*shape, low=0, high=3)


def lengths(*numbers, dtype=torch.int64):
    return torch.tensor(numbers, dtype=dtype)


SAMPLES = [
    Sample(words(2, 3), words(2, 4), lengths(3, 2), lengths(4, 3)),
    Sample(words(3, 5), words(3, 4), lengths(5, 0, 3), lengths(4, 2, 1), True),
    Sample(words(1, 4), words(1, 4), lengths(4), lengths(4)),
]
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")
ERRORS = [
    Error(ValueError, r"equal numbers of rows.*\[2, 3\] and \[1, 4\]", words(2, 3), words(1, 4), None, None),
    Error(ValueError, r"'hypslength'.*2 rows.*\[1\]", words(2, 3), words(2, 4), lengths(3), lengths(3, 3)),
    Error(ValueError, r"'refslength'.*\[1, 4\], got \[3, 0\]", words(2, 3), words(2, 4), lengths(3, 3), lengths(3, 0), True),
    Error(TypeError, r"one data type", words(2, 3), torch.zeros(2, 3), None, None),
]


def reference(hyps, refs, hypslength=None, refslength=None, normalized=False):
    out = []
    for i, (a, b) in enumerate(zip(hyps.tolist(), refs.tolist())):
        a = a if hypslength is None else a[: int(hypslength[i])]
        b = b if refslength is None else b[: int(refslength[i])]
        table = [[max(j, k) if 0 in (j, k) else 0 for k in range(len(b) + 1)] for j in range(len(a) + 1)]
        for j in range(1, len(a) + 1):
            for k in range(1, len(b) + 1):
                replaced = table[j - 1][k - 1] + (a[j - 1] != b[k - 1])
                table[j][k] = min(table[j - 1][k] + 1, table[j][k - 1] + 1, replaced)
        out.append([table[-1][-1] / (len(b) if normalized else 1)])
    return torch.tensor([len(out)]), torch.tensor(out, dtype=torch.float32)
