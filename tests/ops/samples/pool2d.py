import torch

from ..sample import Error, Sample, T, sides

SAMPLES = [
    Sample(T(2, 3, 4, 5), [2, 2], [2, 2]),
    Sample(T(1, 2, 5, 5), [3, 3], [2, 2], [1, 1], pooling_type="avg"),
    Sample(T(1, 2, 5, 6), [3, 2], [2, 1], [1, 0], exclusive=False, pooling_type="avg"),
    Sample(T(1, 2, 3, 5), [4, 2], [2, 1]),  # a window that is larger than the image by less than the stride
    Sample(T(1, 3, 4, 2), [4, 7], [2, 3], [0, 1], exclusive=False, data_format="NHWC", pooling_type="avg"),
    Sample(T(2, 5, 4, 3), [2, 2], [2, 2], [0, 0], True, data_format="NHWC"),
    Sample(T(2, 4, 5, 3), [2, 3], [1, 2], [1, 1], data_format="NHWC", pooling_type="avg"),
    Sample(T(2, 3, 5, 4), [3, 2], adaptive=True),
    Sample(T(2, 3, 5, 4), [3, 2], adaptive=True, pooling_type="avg"),
    Sample(T(2, 3, 3, 4), [1, 1], global_pooling=True),
    Sample(T(2, 3, 4, 3), [1, 1], global_pooling=True, pooling_type="avg", data_format="NHWC"),
    Sample(T(1, 3, 7, 8), [3, 3], [2, 2], padding_algorithm="SAME"),
    Sample(T(1, 3, 7, 8), [3, 3], [2, 2], [1, 1], pooling_type="avg", padding_algorithm="VALID"),
    Sample(T(1, 3, 6, 7), [2, 3], [2, 1], [1, 0, 2, 1]),
    Sample(T(2, 20, 30, 40), [3, 3], [2, 2], [1, 1]),
    Sample(T(2, 30, 40, 70), [3, 3], [1, 1], [1, 1], pooling_type="avg", data_format="NHWC"),
    Sample(torch.tensor([[[[1.0, 2, 3, 0], [3, 0, 1, 2]]]]), [2, 2], [2, 2]),  # the maximum of a window is beside it, too
    Sample(T(0, 3, 4, 4), [2, 2], [2, 2]),
]
ERRORS = [
    Error(ValueError, r"'x'.*4 dimensions.*\[3, 4, 4\]", T(3, 4, 4), [2, 2]),
    Error(ValueError, r"'kernel_size'.*2 values.*got 3", T(1, 3, 4, 4), [2, 2, 2]),
    Error(ValueError, r"'kernel_size'.*size 4, got 6", T(1, 3, 4, 4), [6, 6]),
    Error(ValueError, r"'kernel_size'.*size 4, got 6", T(1, 3, 4, 4), [6, 6], [2, 2]),
    Error(ValueError, r"'strides'.*positive.*\[0, 1\]", T(1, 3, 4, 4), [2, 2], [0, 1]),
    Error(ValueError, r"'paddings'.*got 3", T(1, 3, 4, 4), [2, 2], [1, 1], [1, 1, 1]),
    Error(ValueError, r"'pooling_type'.*\"max\" or \"avg\", got \"sum\"", T(1, 3, 4, 4), [2, 2], pooling_type="sum"),
    Error(ValueError, r"'padding_algorithm'.*got \"FULL\"", T(1, 3, 4, 4), [2, 2], padding_algorithm="FULL"),
    Error(ValueError, r"'data_format'.*got \"CHWN\"", T(1, 3, 4, 4), [2, 2], data_format="CHWN"),
]


def windows(size, kernel, stride, before, after, ceil_mode, adaptive):
    """(start, begin, end, stop) of each window: with padding, and on the image."""
    if adaptive:
        bounds = [(i * size // kernel, -(-(i + 1) * size // kernel)) for i in range(kernel)]
        return [(begin, begin, end, end) for begin, end in bounds]
    room = size + before + after - kernel
    count = (-(-room // stride) if ceil_mode else max(room, 0) // stride) + 1  # Paddle's division rounds towards 0
    starts = [i * stride - before for i in range(count)]
    return [(s, max(s, 0), min(s + kernel, size), min(s + kernel, size + before)) for s in starts]


def windows_of(image, kernel_size, strides, paddings, ceil_mode, global_pooling, adaptive, padding_algorithm):
    """Those along each axis of images [batch, channels, height, width] or volumes."""
    sizes = image.shape[2:]
    if global_pooling:
        return [[(0, 0, size, size)] for size in sizes]
    pads = sides(sizes, kernel_size, strides, paddings, padding_algorithm)
    axes = zip(sizes, kernel_size, strides, pads)
    return [windows(size, kernel, stride, *pad, ceil_mode, adaptive) for size, kernel, stride, pad in axes]


def reference(
    x,
    kernel_size,
    strides=(1, 1),
    paddings=(0, 0),
    ceil_mode=False,
    exclusive=True,
    data_format="NCHW",
    pooling_type="max",
    global_pooling=False,
    adaptive=False,
    padding_algorithm="EXPLICIT",
):
    image = x.permute(0, 3, 1, 2) if data_format == "NHWC" else x
    axes = windows_of(image, kernel_size, strides, paddings, ceil_mode, global_pooling, adaptive, padding_algorithm)
    rows = []
    for top, first_row, end_row, bottom in axes[0]:
        row = []
        for left, first_column, end_column, right in axes[1]:
            part = image[:, :, first_row:end_row, first_column:end_column].flatten(2)
            if pooling_type == "max":
                row.append(part.max(2).values)  # its gradient goes to one of several equal maxima, that of amax to all
            elif exclusive:
                row.append(part.mean(2))
            else:
                row.append(part.sum(2) / ((bottom - top) * (right - left)))
        rows.append(torch.stack(row, 2))
    out = torch.stack(rows, 2)
    return out.permute(0, 2, 3, 1) if data_format == "NHWC" else out
