import torch

from ..sample import Error, Given, Sample, T


def numbers(*rows, dtype=torch.int64):
    return Given(torch.tensor(rows, dtype=dtype))


LABEL = numbers(0, 3, 5)
PATH = numbers([0, 1, -1], [0, 2, 3], [0, -1, -1])
CODE, ONE_CODE = numbers([1, 0, -1], [0, 0, 1], [1, -1, -1]), numbers([1, 0, 1])
LAYOUTS = ("contiguous", "gaps", "transposed", "unaligned")  # labels of another order are of other paths
SAMPLES = [
    Sample(T(3, 4), LABEL, T(5, 4), T(5, 1), None, None, 6, False),
    Sample(T(3, 4), numbers([0], [1], [1], dtype=torch.int32), T(1, 4), None, None, None, 2, False),
    Sample(T(4, 3), numbers(0, 7, 8, 4), T(9, 3), T(9), None, None, 9, False),
    Sample(T(3, 4), LABEL, T(4, 4), T(4, 1), PATH, CODE, 6, False),
    Sample(T(3, 2), LABEL, T(4, 2), None, PATH, CODE, 1, False),
    Sample(T(0, 4), T(0, dtype=torch.int64), T(5, 4), None, None, None, 6, False),
    Sample(T(2, 2, low=50, high=60, grad=False), numbers(0, 3), T(3, 2, low=1, grad=False), None, None, None, 4, False),  # clipped
    Sample(T(2, 2, low=1e15, high=1e16, grad=False), numbers(0, 3), T(3, 2, low=1, grad=False), None, None, None, 4, False),
]
_OTHERS = (None, None, None, 6, False)
ERRORS = [
    Error(ValueError, r"'x'.*\[batch, features\], got \[3\]", T(3), LABEL, T(5, 4), *_OTHERS),
    Error(ValueError, r"'label'.*\[3\] or \[3, 1\], got \[2\]", T(3, 4), numbers(0, 1), T(5, 4), *_OTHERS),
    Error(ValueError, r"'label'.*from 0 to 5, got 6", T(3, 4), numbers(0, 1, 6), T(6, 4), *_OTHERS),
    Error(ValueError, r"'label'.*from 0 to 5, got -1", T(3, 4), numbers(0, 1, -1), T(6, 4), *_OTHERS),
    Error(ValueError, r"'w'.*\[nodes, 4\], got \[5, 3\]", T(3, 4), LABEL, T(5, 3), *_OTHERS),
    Error(ValueError, r"'w'.*5 nodes above 6 classes.*\[4, 4\]", T(3, 4), LABEL, T(4, 4), *_OTHERS),
    Error(ValueError, r"'bias'.*5 rows.*\[4\]", T(3, 4), LABEL, T(5, 4), T(4), None, None, 6, False),
    Error(ValueError, r"'path' and 'code', got one", T(3, 4), LABEL, T(5, 4), None, PATH, None, 6, False),
    Error(ValueError, r"'code'.*\[3, 3\] of 'path', got \[1, 3\]", T(3, 4), LABEL, T(5, 4), None, PATH, ONE_CODE, 6, False),
    Error(ValueError, r"'num_classes'.*at least 2, got 1", T(3, 4), LABEL, T(5, 4), None, None, None, 1, False),
    Error(IndexError, r"'path'.*the 3 rows of 'w'", T(3, 4), LABEL, T(3, 4), None, PATH, CODE, 6, False),
    Error(TypeError, r"'label'.*int32 or int64", T(3, 4), T(3, dtype=torch.float32, grad=False), T(5, 4), *_OTHERS),
]


def reference(x, label, w, bias, path, code, num_classes, is_sparse):
    longest = (num_classes - 1).bit_length() if path is None else path.shape[1]
    out, pre_out = [], []
    for row, one in enumerate(label.flatten().tolist()):
        if path is None:
            leaf = format(one + num_classes, "b")
            steps = [(int(leaf[:-k], 2) - 1, leaf[-k] == "1") for k in range(1, len(leaf))]
        else:
            steps = []
            for node, right in zip(path[row].tolist(), code[row].tolist()):
                if node < 0:
                    break
                steps.append((node, right != 0))
        logs, total = [], x.new_zeros(())
        for node, right in steps:
            z = (w[node] * x[row]).sum() + (0 if bias is None else bias.flatten()[node])
            z = z.clamp(-40, 40)
            logs.append((1 + z.double().exp()).log().to(x.dtype))
            total = total + logs[-1] - (z if right else 0)
        missing = longest - len(logs)
        logs += [x.new_full((), 2.0).log()] * missing
        out.append(total + missing * x.new_full((), 2.0).log())
        pre_out.append(torch.stack(logs))
    if not out:
        return x.new_zeros(0, 1) + (x.sum() + w.sum()) * 0, x.new_zeros(0, longest), w.new_zeros(0)
    return torch.stack(out).unsqueeze(1), torch.stack(pre_out), w.new_zeros(0)
