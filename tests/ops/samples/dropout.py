from ..sample import Error, Sample, T

UPSCALE = "upscale_in_train"
DOWNGRADE = "downgrade_in_infer"
SAMPLES = [
    Sample(T(3, 4), None, 0.0),
    Sample(T(3, 4), None, 1.0, mode=UPSCALE),
    Sample(T(3, 4), None, 0.25, True, DOWNGRADE),
    Sample(T(8), None, 0.25, True, DOWNGRADE),
    Sample(T(3, 4), None, 0.25, is_test=True, mode=UPSCALE),
    Sample(T(3, 70), None, 0.5, False, UPSCALE),
    Sample(T(0, 3), None, 0.5),
    Sample(T(), None, 0.0),
]
ERRORS = [
    Error(ValueError, r"'p'.*\[0, 1\], got 1.5", T(2), None, 1.5),
    Error(ValueError, r"'mode'.*expected 'downgrade_in_infer' or 'upscale_in_train', got 'none'", T(2), None, 0.5, mode="none"),
]


def reference(x, seed_tensor, p=0.5, is_test=False, mode=DOWNGRADE):
    """Where chance has no part in it; the other calls are those of tests/ops/test_random.py."""
    if is_test:
        return x * (1 - p) if mode == DOWNGRADE else x
    return {0.0: x, 1.0: x * 0}.get(p)
