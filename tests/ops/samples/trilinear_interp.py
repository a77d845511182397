from . import bilinear_interp

SAMPLES = [sample for sample in bilinear_interp.SAMPLES if sample.kwargs.get("interp_method") == "trilinear"]
ERRORS = bilinear_interp.ERRORS[:1]
TOLERANCE = getattr(bilinear_interp, "TOLERANCE", {})
reference = bilinear_interp.reference
