import torch

from ..sample import Error, Given, Sample, T


def table(*shape):
    return T(*shape, low=-1, high=1, grad=False)


IDS = Given(torch.tensor([[2, 0, 3], [1, 1, 4]]))
FAR = T(2, 3, dtype=torch.int64, low=4, high=4)
SAMPLES = [
    Sample(T(2, 3, 2, 4), T(2, 3, 2, 4), T(2, 3, 2, 4), table(3, 4), table(3, 4), None),
    Sample(T(2, 3, 2, 4), T(2, 3, 1, 4), None, table(1, 5, 1, 4), table(1, 5, 1, 4), IDS, False),
    Sample(T(3, 2, 2, 4), None, T(3, 2, 1, 4), table(5, 4), table(5, 4), IDS, True, True),
    Sample(T(2, 3, 2, 6), None, None, None, None, IDS, True, False, 100.0),
    Sample(T(3, 2, 2, 6), T(3, 2, 4, 6), None, None, None, None, False, True),
    Sample(T(2, 9, 3, 70), T(2, 9, 3, 70), None, None, None, None, False),
    Sample(T(0, 3, 2, 4), T(0, 3, 2, 4), None, None, None, None),
    Sample(T(2, 3, 2, 0), T(2, 3, 1, 0), None, table(3, 0), table(3, 0), None),
    Sample(T(2, 3, 2, 0), None, None, None, None, None),
]
ERRORS = [
    Error(ValueError, r"'q'.*even dim, got \[2, 3, 2, 5\]", T(2, 3, 2, 5), None, None, None, None, None),
    Error(ValueError, r"'k'.*\[2, 3, 2, 4\].*\[2, 4, 2, 4\]", T(2, 3, 2, 4), T(2, 4, 2, 4), None, None, None, None),
    Error(ValueError, r"'sin' and 'cos': expected both", T(2, 3, 2, 4), None, None, T(3, 4), None, None),
    Error(ValueError, r"'sin'.*expected 3 positions.*got 5", T(2, 3, 2, 4), None, None, T(5, 4), T(5, 4), None),
    Error(ValueError, r"'sin'.*\[positions, 4\].*\[3, 2\]", T(2, 3, 2, 4), None, None, T(3, 2), T(3, 2), None),
    Error(ValueError, r"'position_ids'.*\[2, 3\], got \[3, 2\]", T(2, 3, 2, 4), None, None, None, None, T(3, 2, dtype=torch.int64)),
    Error(TypeError, r"'v'", T(2, 3, 2, 4), None, T(2, 3, 2, 4, dtype=torch.int64), None, None, None),
    Error(IndexError, r"'position_ids'.*\[0, 4\), got 4", T(2, 3, 2, 4), None, None, table(4, 4), table(4, 4), FAR),
    Error(ValueError, r"'rotary_emb_base'.*got 0", T(2, 3, 2, 4), None, None, None, None, None, True, False, 0.0),
]


def _rotated(x, sin, cos, position_ids, neighbours, time_major, base):
    """Element by element."""
    x = x.transpose(0, 1) if time_major else x
    batch, length, _, dim = x.shape
    half, rows = dim // 2, []
    for i in range(dim):
        is_first = i % 2 == 0 if neighbours else i < half
        step = 1 if neighbours else half
        other = -x[..., i + step] if is_first else x[..., i - step]
        positions = torch.arange(length).expand(batch, length) if position_ids is None else position_ids
        if sin is None:
            angle = positions.double() / base ** (i // 2 * 2 / dim)
            s, c = angle.sin(), angle.cos()
        else:
            s, c = (t.reshape(-1, dim)[:, i][positions] for t in (sin, cos))
        rows.append(x[..., i] * c.unsqueeze(-1) + other * s.unsqueeze(-1))
    out = torch.stack(rows, -1) if rows else x
    return out.transpose(0, 1) if time_major else out


def reference(q, k, v, sin, cos, position_ids, use_neox_rotary_style=True, time_major=False, rotary_emb_base=10000.0):
    rest = (sin, cos, position_ids, use_neox_rotary_style, time_major, rotary_emb_base)
    return tuple(q.new_empty(0) if x is None else _rotated(x, *rest) for x in (q, k, v))
