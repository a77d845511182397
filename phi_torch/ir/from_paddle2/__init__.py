"""Programs of Paddle 2, of `phi_torch.legacy`, as programs.

program  operator by operator; blocks, branches, loops, liveness  variables become values; files  parameters that it reads
calls  kernels as operators; rules, arithmetic, arrays, quantize, rows  operators that are no kernel's call; whole  what is left
fused  what passes for oneDNN fused; levels  whose results have levels of detail
"""
