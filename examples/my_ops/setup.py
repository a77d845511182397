from setuptools import setup

from phi_torch.extension import PhiBuildExtension, PhiExtension

setup(
    ext_modules=[PhiExtension("my_ops.ops", yaml="ops.yaml", sources=["csrc/softswish.h", "csrc/rms_scale.h"])],
    cmdclass={"build_ext": PhiBuildExtension},
)
