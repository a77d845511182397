"""Programs as modules of torch.

graph  a program as a graph of torch.fx; call, torch_calls, arrays, loops  its operations in there; values  what these read
run  what the graph calls when it runs
"""
