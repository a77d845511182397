import torch

from ..sample import Sample, unary

SPECIAL = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, 1.0])
SAMPLES = [*unary(), Sample(SPECIAL.repeat(15)), Sample(torch.complex(SPECIAL[:, None].expand(5, 5), SPECIAL.expand(5, 5)))]
