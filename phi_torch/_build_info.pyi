# of the module that the build writes
version: str
torch_version: str
bridges: dict[str, str]  # further minor versions of torch -> the folder of their libraries, below the package
cuda: str | None
cpu_capabilities: tuple[str, ...]
backends: dict[str, tuple[str, ...]]  # torch's device type -> the backends of its kernels
kernel_libraries: tuple[str, ...]
build_hash: str
abi: str
trimmed: str | None
left_out: tuple[str, ...]
extensible: bool
programs: bool
