"""The wire schema of programs: Paddle's `framework.proto` by field numbers, as messages of the protobuf runtime.

The descriptors are built here, so that no generated code has to fit the installed runtime. Text is declared as bytes and
enumerations as integers: what a file holds that the schema does not know can then be named in an error.
"""

from __future__ import annotations

import functools
from typing import Any

# message -> its fields: "name:number:type", "*" for a repeated field; capital types are messages
MESSAGES = {
    "Program": "blocks:1:Block* version:4:Version op_version_map:5:OpVersionMap",
    "Version": "version:1:int64",
    "OpVersionMap": "pair:1:OpVersionPair*",
    "OpVersionPair": "op_name:1:bytes op_version:2:OpVersion",
    "OpVersion": "version:1:int32",
    "Block": "idx:1:int32 parent_idx:2:int32 vars:3:Variable* ops:4:Operator* forward_block_idx:5:int32",
    "Variable": (
        "name:1:bytes type:2:VariableType persistable:3:bool need_check_feed:4:bool is_parameter:5:bool stop_gradient:6:bool"
    ),
    "VariableType": (
        "type:1:int32 selected_rows:2:Tensor dense_tensor:3:DenseTensor tensor_array:4:DenseTensor"
        " sparse_coo:11:Tensor sparse_csr:12:Tensor"
    ),
    "Tensor": "data_type:1:int32 dims:2:int64*",
    "DenseTensor": "tensor:1:Tensor lod_level:2:int32",
    "Operator": "inputs:1:Slot* outputs:2:Slot* type:3:bytes attrs:4:Attribute* is_target:5:bool",
    "Slot": "parameter:1:bytes arguments:2:bytes*",
    "Attribute": (
        "name:1:bytes type:2:int32 i:3:int32 f:4:float s:5:bytes ints:6:int32* floats:7:float* strings:8:bytes* b:10:bool"
        " bools:11:bool* block_idx:12:int32 l:13:int64 blocks_idx:14:int32* longs:15:int64* float64s:16:double*"
        " var_name:17:bytes vars_name:18:bytes* float64:19:double scalar:20:Scalar scalars:21:Scalar*"
    ),
    "Scalar": "type:1:int32 b:2:bool i:3:int64 r:4:double c:5:Complex",
    "Complex": "r:1:double i:2:double",
}


@functools.cache
def messages() -> dict[str, Any]:
    """The message classes by name.

    Raises:
        ImportError: protobuf is not installed.
    """
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory  # type: ignore[import-untyped]
    except ImportError as error:
        raise ImportError("programs are read with protobuf: pip install 'protobuf>=5'") from error
    file = descriptor_pb2.FileDescriptorProto(name="phi_torch/program.proto", package="phi_torch.program", syntax="proto2")
    kinds = descriptor_pb2.FieldDescriptorProto
    for message, fields in MESSAGES.items():
        described = file.message_type.add(name=message)
        for field in fields.split():
            name, number, kind = field.split(":")
            repeated, kind = kind.endswith("*"), kind.rstrip("*")
            added = described.field.add(name=name, number=int(number))
            added.label = kinds.LABEL_REPEATED if repeated else kinds.LABEL_OPTIONAL
            if kind[0].isupper():
                added.type, added.type_name = kinds.TYPE_MESSAGE, f".{file.package}.{kind}"
            else:
                added.type = getattr(kinds, f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.{name}")) for name in MESSAGES}
