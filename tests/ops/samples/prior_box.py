import torch

from ..sample import Error, Sample, T

GRID, IMAGE, VARIANCES = T(1, 2, 2, 3, grad=False), T(1, 3, 10, 20, grad=False), [0.125, 0.125, 0.25, 0.25]
SAMPLES = [
    Sample(GRID, IMAGE, [2.0, 4.0], [5.0, 6.0], [1.0, 2.0], VARIANCES, True, False),
    Sample(GRID, IMAGE, [2.0, 4.0], [5.0, 6.0], [2.0, 2.0], VARIANCES, False, True, 3.0, 0.0, 0.5, True),
    Sample(GRID, IMAGE, [4.0], [], [2.0, 3.0], VARIANCES, True, True, 3.0, 4.0, 0.25),
    Sample(T(2, 1, 1, 1, grad=False), IMAGE, [8.0], variances=VARIANCES),
]
ERRORS = [
    Error(ValueError, r"4 dimensions.*\[2, 3\]", T(2, 3), IMAGE, [2.0], variances=VARIANCES),
    Error(ValueError, r"'min_sizes'.*got none", GRID, IMAGE, []),
    Error(ValueError, r"'max_sizes'.*2 numbers.*got 1", GRID, IMAGE, [2.0, 3.0], [4.0], variances=VARIANCES),
    Error(ValueError, r"'max_sizes'.*above.*got 1", GRID, IMAGE, [2.0], [1.0], variances=VARIANCES),
    Error(ValueError, r"'variances'.*four.*got 0", GRID, IMAGE, [2.0]),
    Error(ValueError, r"'step_w'.*at least 0, got -1", GRID, IMAGE, [2.0], variances=VARIANCES, step_w=-1.0),
]


def reference(
    input,
    image,
    min_sizes,
    max_sizes=(),
    aspect_ratios=(),
    variances=(),
    flip=True,
    clip=True,
    step_w=0.0,
    step_h=0.0,
    offset=0.5,
    min_max_aspect_ratios_order=False,
):
    height, width = input.shape[2:]
    ratios = [1.0]
    for ratio in aspect_ratios:
        if ratio not in ratios:
            ratios += [ratio, 1 / ratio] if flip else [ratio]
    if step_w == 0 or step_h == 0:
        step_w, step_h = image.shape[3] / width, image.shape[2] / height
    out = []
    for row in range(height):
        for column in range(width):
            x, y = (column + offset) * step_w, (row + offset) * step_h
            for i, least in enumerate(min_sizes):
                kinds = [(least * r**0.5, least / r**0.5) for r in ratios]
                if max_sizes:
                    square = (least * max_sizes[i]) ** 0.5
                    kinds.insert(1 if min_max_aspect_ratios_order else len(kinds), (square, square))
                out += [[x - w / 2, y - h / 2, x + w / 2, y + h / 2] for w, h in kinds]
    size = torch.tensor([image.shape[3], image.shape[2]] * 2, dtype=torch.float64)
    boxes = (torch.tensor(out, dtype=torch.float64) / size).reshape(height, width, -1, 4)
    return boxes.clamp(0, 1) if clip else boxes, torch.tensor(variances, dtype=torch.float64).expand(boxes.shape)
