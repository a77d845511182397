import torch

from ..sample import Error, Sample, T

GATES = {"LSTM": 4, "GRU": 3}


def network(mode, layers=1, bidirec=False, time=3, batch=2, size=4, hidden=3, lengths=None, **attributes):
    """A call of a network of these sizes."""
    directions, rows = 1 + bidirec, GATES.get(mode, 1) * hidden
    weights, biases = [], []
    for k in range(layers * directions):
        weights += [T(rows, size if k < directions else directions * hidden), T(rows, hidden)]
        biases += [T(rows), T(rows)]
    states = [T(layers * directions, batch, hidden) for _ in range(1 + (mode == "LSTM"))]
    sizes = {"is_bidirec": bidirec, "input_size": size, "hidden_size": hidden, "num_layers": layers, "mode": mode}
    return Sample(T(time, batch, size), states, [*weights, *biases], lengths, None, **{**sizes, **attributes})


SAMPLES = [
    network("LSTM"),
    network("GRU"),
    network("RNN_TANH"),
    network("RNN_RELU"),
    network("LSTM", layers=2, bidirec=True, lengths=torch.tensor([1, 3])),
    network("GRU", layers=2, bidirec=True, lengths=torch.tensor([2, 0], dtype=torch.int32)),
    network("RNN_TANH", bidirec=True, lengths=torch.tensor([2, 3])),
    network("LSTM", layers=2, dropout_prob=0.5, is_test=True),
    network("LSTM", time=5, batch=3, size=7, hidden=19),
    network("GRU", time=4, batch=1, size=2, hidden=33),
    network("GRU", batch=3, size=2, hidden=22),
    network("LSTM", time=0),
    network("GRU", batch=0, bidirec=True),
]


def broken(**changes):
    """The arguments of an LSTM with some of them exchanged."""
    arguments = {"x": T(3, 2, 4), "pre_state": [T(1, 2, 3), T(1, 2, 3)], "weight_list": [T(12, 4), T(12, 3), T(12), T(12)]}
    attributes = {"input_size": 4, "hidden_size": 3, "mode": "LSTM"}
    return {"sequence_length": None, "dropout_state_in": None, **arguments, **attributes, **changes}


ERRORS = [
    Error(ValueError, r"'x'.*\[time, batch, input_size\].*got \[3, 4\]", **broken(x=T(3, 4))),
    Error(ValueError, r"'x'.*input_size of 5", **broken(input_size=5)),
    Error(ValueError, r"'mode'.*'LSTM'.*got 'RNN'", **broken(mode="RNN")),
    Error(ValueError, r"'pre_state'.*expected 2 tensors.*got 1", **broken(pre_state=[T(1, 2, 3)])),
    Error(ValueError, r"'pre_state'.*\[1, 2, 3\] of tensor 1, got \[1, 2, 4\]", **broken(pre_state=[T(1, 2, 3), T(1, 2, 4)])),
    Error(ValueError, r"'weight_list'.*expected 4 tensors", **broken(weight_list=[T(12, 4)])),
    Error(ValueError, r"'weight_list'.*\[12, 3\] of tensor 1", **broken(weight_list=[T(12, 4), T(12, 4), T(12), T(12)])),
    Error(ValueError, r"'num_layers'.*at least 1, got 0", **broken(num_layers=0)),
    Error(ValueError, r"'hidden_size'.*at least 1, got 0", **broken(hidden_size=0)),
    Error(ValueError, r"'dropout_prob'.*\[0, 1\], got 2", **broken(dropout_prob=2.0)),
    Error(ValueError, r"'sequence_length'.*\[2\], got \[3\]", **broken(sequence_length=torch.tensor([1, 2, 3]))),
    Error(TypeError, r"'sequence_length'.*got bool", **broken(sequence_length=torch.tensor([True, False]))),
    Error(TypeError, r"'pre_state'.*got int64", **broken(pre_state=[T(1, 2, 3), torch.zeros(1, 2, 3, dtype=torch.int64)])),
]
TOLERANCE = {torch.float16: (1e-2, 1e-2), torch.bfloat16: (8e-2, 8e-2)}


def reference(x, pre_state, weight_list, sequence_length, dropout_state_in, **attributes):
    """torch's network in float64, of each sequence by itself and as long as it is."""
    mode, hidden = attributes["mode"], attributes["hidden_size"]
    kind = {"LSTM": torch.nn.LSTM, "GRU": torch.nn.GRU}.get(mode, torch.nn.RNN)
    more = {"nonlinearity": mode[4:].lower()} if kind is torch.nn.RNN else {}
    layers, bidirec = attributes["num_layers"], attributes["is_bidirec"]
    net = kind(attributes["input_size"], hidden, layers, bidirectional=bidirec, dtype=torch.float64, **more)
    names = [f"l{layer}{'_reverse' * d}" for layer in range(layers) for d in range(1 + bidirec)]
    order = [f"{what}_{of}_{name}" for what in ("weight", "bias") for name in names for of in ("ih", "hh")]
    given = dict(zip(order, (w.double() for w in weight_list)))
    x, states = x.double(), [s.double() for s in pre_state]
    out = x.new_zeros(x.shape[0], x.shape[1], (1 + bidirec) * hidden)
    last = [s.clone() for s in states]
    for b in range(x.shape[1]):
        length = x.shape[0] if sequence_length is None else min(int(sequence_length[b]), x.shape[0])
        if length == 0:
            continue
        first = tuple(s[:, b : b + 1].contiguous() for s in states)
        first = first if mode == "LSTM" else first[0]
        found, final = torch.func.functional_call(net, given, (x[:length, b : b + 1], first))
        out[:length, b : b + 1] = found
        for to, value in zip(last, final if mode == "LSTM" else (final,)):
            to[:, b : b + 1] = value
    return out, None, last
