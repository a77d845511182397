"""What is known of the operators of programs."""

from __future__ import annotations

import pytest

from phi_torch import _C
from phi_torch.legacy import Attribute, OpDesc
from phi_torch.legacy._definition import AttributeDef, attribute_fault, definition, faults


def test_defaults_are_values_of_their_attributes():
    found = [definition(type) for type in _C.program_op_types()]
    wrong = {
        (one.type, name): what
        for one in found
        if one is not None
        for name, attribute in one.attrs.items()
        if attribute.default is not None and (what := attribute_fault(attribute, attribute.default)) is not None
    }
    assert len(found) > 1000 and not wrong


def test_a_gradient_has_the_attributes_of_its_forward_operator():
    forward, backward = definition("softmax"), definition("softmax_grad")
    assert forward is not None and backward is not None
    assert backward.forward == "softmax" and backward.attrs["axis"] == forward.attrs["axis"]
    assert forward.defaults["axis"] == Attribute("INT", -1)


@pytest.mark.parametrize(
    ("type", "check", "value", "fault"),
    [
        ("FLOAT", "[0, 0.001]", 0.0010000000474974513, None),
        ("FLOAT", "[0, 0.001]", 0.0011, "expected a value in [0, 0.001], got 0.0011"),
        ("FLOAT", "(0, inf)", 0.0, "expected a value in (0, inf), got 0.0"),
        ("STRING", "{NCHW, NHWC}", "NHCW", "expected a value in {NCHW, NHWC}, got 'NHCW'"),
        ("INT", None, 1.5, "expected INT, got FLOAT 1.5"),
        ("INTS", None, [1, 2], None),
        ("INT", None, [1, 2], "expected INT, got FLOAT [1, 2]"),
    ],
)
def test_values_of_attributes(type: str, check: str | None, value: object, fault: str | None):
    assert attribute_fault(AttributeDef("a", type, None, False, False, check), Attribute._make(("FLOAT", value))) == fault


def test_slots():
    op = OpDesc("elementwise_add", {"X": ["a", "b"], "Z": ["c"]}, {"Out": ["d"], "Outt": ["e"]})
    assert dict(faults(op)) == {
        "slot X": "expected one variable, got 2",
        "slot Z": "the operator has no such input; it has X, Y",
        "slot Outt": "the operator has no such output; near: Out",
        "slot Y": "expected a variable, got none",
    }


def test_a_gradient_of_an_intermediate_result_may_be_named():
    inputs = {slot: [slot] for slot in ("X", "Y", "Out", "IntermediateOut", "Out@GRAD")}
    outputs = {slot: [slot] for slot in ("X@GRAD", "Y@GRAD", "IntermediateOut@GRAD")}
    functors = {"functor_list": Attribute("STRINGS", ["elementwise_add_grad", "relu_grad"])}
    assert not dict(faults(OpDesc("fused_elemwise_activation_grad", inputs, outputs, functors)))
    other = OpDesc("fused_elemwise_activation_grad", inputs, {"Intermediate@GRAD": ["z"]}, functors)
    assert list(dict(faults(other))) == ["slot Intermediate@GRAD"]
