"""What yaml/aten_compat.yaml says: overloads of ATen as operators."""

from __future__ import annotations

from dataclasses import dataclass, field

from .op import Loc

# what expressions may call besides operators, and with how many arguments; phi_torch/ir/from_torch/rules.py has the functions
FUNCTIONS = {
    "is_tensor": (1,),
    "is_number": (1,),  # of Python, and known
    "is_integer": (1,),  # of Python, no bool, and known
    "known": (1,),  # of a list of numbers: each of them
    "floating": (1,),  # a tensor of floating point
    "arithmetic": (1,),  # one of floating point, of int32 or int64
    "same_dtype": (1, 2),  # of two tensors, or of the tensors of a list
    "same_shape": (2,),  # of two tensors, as far as their sizes are known
    "same_rank": (1,),  # of the tensors of a list
    "dtype": (1,),  # its name, "float32"
    "dtype_of": (1,),  # the same, where an argument of the overload is named dtype
    "wide": (1,),  # the dtype in which statistics of a tensor are: "float32" for half types, else its own
    "unbiased": (1,),  # n / (n - 1) of the n elements that an image has of each channel
    "rank": (1,),
    "size": (2,),
    "sizes": (2,),  # those that a view is given; where one is a symbol, those of the result, of which none is -1
    "on_cpu": (1,),
    "len": (1,),
    "first": (1,),  # of a list
    "wrapped": (2,),  # dimensions, counted from 0
    "swapped": (3,),  # the dimensions of a rank, two of them exchanged
    "twice": (1,),  # two numbers, of one or two
    "padding": (2,),  # before and after each dimension of a rank, of those of the last dimensions, the last one first
    "outside": (4,),  # what is before and after a slice of one dimension, of all dimensions of known sizes
    "end_of": (1,),  # where a slice of one element at an index ends
    "without_gradient": (1,),  # what an operator gives, through which no gradient flows
    "for_backward": (1,),  # what an operator has no gradient of, and torch has: in a program that nothing differentiates
}
RESULT = "result"  # the name of torch's first result in `when` and `to`


@dataclass(frozen=True)
class AtenRow:
    """One row. The expressions are Python's."""

    overload: str  # "add.Tensor"
    arguments: tuple[str, ...]
    when: tuple[str, ...]
    let: tuple[str, ...]  # what has a name in the row; in `to` it stands in the place of its name
    to: tuple[str, ...]
    loc: Loc = field(compare=False)
