"""Programs as modules of torch.

graph  a program as a graph of torch.fx; call, torch_calls, shape_calls, arrays, loops  its operations in there
values  what these read; sizes  what of it is numbers
run  what the graph calls when it runs
"""
