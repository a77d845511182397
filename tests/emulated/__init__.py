"""The emulated GPU: code for GPUs that `make gpu-emulated` compiles with the host's compiler, run on CPU tensors."""
