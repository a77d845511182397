"""Our operators beside live PaddlePaddle, and beside torch's own on the samples of its OpInfo database.

paddle_calls.py   what is asked of Paddle's process (phi_torch/_oracle); client.py asks
calls.py          how a call of ours is written for paddle._C_ops, where that differs
samples.py        the samples of tests/ops, and others derived from them
equivalents.py    which OpInfo entries mean the same as an op of ours; equivalents_nn.py those of neural networks
outcomes.py       runs an op against an oracle
differences.yaml  the differences that are meant
report.py         writes docs/parity.md
"""
