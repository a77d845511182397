import torch

from ..sample import Error, Sample, T


def statistics(channels):
    return T(channels, grad=False), T(channels, low=0.5, high=2, grad=False)


# float32 statistics and parameters for a half x
MIXED = [T(3, dtype=torch.float32, low=0.5, high=2, grad=False)] * 4

SAMPLES = [
    Sample(T(3, 2, 2, 2), *statistics(2), T(2), T(2)),
    Sample(T(3, 2, 4), *statistics(2), momentum=0.6, epsilon=1e-3),
    Sample(T(4, 3), *statistics(3), T(3), None),
    Sample(T(2, 3, 2, 3), *statistics(3), T(3), T(3), data_format="NHWC"),
    Sample(T(2, 3, 2), *statistics(3), T(3), T(3), is_test=True),
    Sample(T(2, 2, 3), *statistics(3), None, T(3), use_global_stats=True, data_format="NHWC"),
    Sample(T(3, 2, 2), *statistics(2), T(2), T(2), is_test=True, trainable_statistics=True),
    Sample(T(2, 2, 2, 2, 2), *statistics(2), T(2), T(2), data_format="NCDHW"),
    Sample(T(1, 3), *statistics(3), T(3), T(3)),
    Sample(T(5, 7, 26, 26, low=30, high=34), *statistics(7), T(7), T(7)),
    Sample(T(4, 20, 20, 17, low=30, high=34), *statistics(17), T(17), T(17), data_format="NHWC"),
    Sample(T(4, 3, 2, dtype=torch.float16, grad=False), *MIXED),
    Sample(T(4, 3, 2, dtype=torch.bfloat16, grad=False), *MIXED, is_test=True),
    Sample(T(0, 3, 2, 2), *statistics(3), T(3), T(3)),
]
TOLERANCE = {torch.float32: (1e-5, 1e-4)}  # of values around 32
ERRORS = [
    Error(ValueError, r"'x'.*2 to 5 dimensions.*\[3\]", T(3), *statistics(3)),
    Error(ValueError, r"'mean'.*\[2\], got \[3\]", T(3, 2), T(3, grad=False), T(2, grad=False)),
    Error(ValueError, r"'data_format'.*NCL", T(3, 2), *statistics(2), data_format="NCL"),
    Error(ValueError, r"'epsilon'.*>= 0.*-1", T(3, 2), *statistics(2), epsilon=-1.0),
]


def reference(
    x,
    mean,
    variance,
    scale=None,
    bias=None,
    is_test=False,
    momentum=0.9,
    epsilon=1e-5,
    data_format="NCHW",
    use_global_stats=False,
    trainable_statistics=False,
):
    last = data_format == "NHWC"
    image = x.movedim(-1, 1) if last else x
    others = [d for d in range(x.dim()) if d != 1]
    zeros = torch.zeros_like(mean)
    if use_global_stats or (is_test and not trainable_statistics):
        used, new, saved = (mean, variance), (mean, variance), (zeros, zeros)
    elif image.numel() <= mean.numel():
        return x, mean, variance, zeros, zeros, None
    else:
        used = image.mean(others), image.var(others, correction=0)
        new = (mean * momentum + used[0] * (1 - momentum), variance * momentum + used[1] * (1 - momentum))
        saved = (used[0], (used[1] + epsilon).rsqrt())
    shape = [-1 if d == 1 else 1 for d in range(x.dim())]
    out = (image - used[0].view(shape)) * (used[1].view(shape) + epsilon).rsqrt()
    out = out if scale is None else out * scale.view(shape)
    out = out if bias is None else out + bias.view(shape)
    return out.movedim(1, -1) if last else out, *(t.detach() for t in (*new, *saved)), None
