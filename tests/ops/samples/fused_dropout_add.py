from ..sample import Error, Sample, T

UPSCALE = "upscale_in_train"
DOWNGRADE = "downgrade_in_infer"
SAMPLES = [
    Sample(T(3, 4), T(3, 4), None, 0.0, False, UPSCALE),
    Sample(T(3, 4), T(3, 4), None, 1.0, False, UPSCALE),
    Sample(T(3, 4), T(3, 4), None, 0.25, True, DOWNGRADE),
    Sample(T(3, 4), T(3, 4), None, 0.25, True, UPSCALE),
    Sample(T(3, 70, grad=False), T(3, 70, grad=False), None, 0.5, False, UPSCALE, 3, True),
    Sample(T(0, 3, grad=False), T(0, 3, grad=False), None, 0.5, False, DOWNGRADE),
]
ERRORS = [
    Error(ValueError, r"'p'.*\[0, 1\], got 1.5", T(2), T(2), None, 1.5, False, UPSCALE),
    Error(ValueError, r"'mode'.*got 'none'", T(2), T(2), None, 0.5, False, "none"),
    Error(ValueError, r"'y'.*\[2\] of 'x', got \[3\]", T(2), T(3), None, 0.5, False, UPSCALE),
]


def reference(x, y, seed_tensor, p, is_test, mode, seed=0, fix_seed=False):
    """Where chance has no part in it; the other calls are those of tests/ops/test_draws.py."""
    if is_test:
        return (x * (1 - p) if mode == DOWNGRADE else x) + y
    return {0.0: x + y, 1.0: x * 0 + y}.get(p)
