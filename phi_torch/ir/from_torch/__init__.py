"""Programs of torch's graphs.

exported, exported_grad, exported_guards  what torch.export made; trace  modules and methods as graphs
graph, nodes, regions  a graph of torch.fx, node by node; rules  calls of ATen that are operators of phi
sizes, strides, views  what torch knows of tensors and a program says otherwise
"""
