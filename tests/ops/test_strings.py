"""Tensors of strings: what they are, what their operators compute, and what does not take them."""

from __future__ import annotations

import random
import unicodedata

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import phi_torch
from phi_torch import StringTensor

WORDS = [["Ab", "", "Ä"], ["x", "日本", "zZ"]]
LETTERS = [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code < 0xE000]


def raw(*strings: bytes) -> StringTensor:
    offsets = torch.tensor([0, *(len(text) for text in strings)]).cumsum(0)
    return StringTensor.from_buffers(offsets, torch.tensor(list(b"".join(strings)), dtype=torch.uint8))


def test_what_it_holds():
    x = StringTensor(WORDS)
    assert x.shape == (2, 3) and len(x) == 2 and x.numel() == 6 and x.device.type == "cpu"
    assert x.offsets.tolist() == [0, 2, 2, 4, 5, 11, 13] and bytes(x.bytes.tolist()) == "AbÄx日本zZ".encode()
    assert x.tolist() == WORDS and repr(x) == f"StringTensor({WORDS!r})"
    assert StringTensor("one").tolist() == "one" and StringTensor("one").shape == ()
    assert StringTensor([]).shape == (0,) and StringTensor([[], []]).tolist() == [[], []]
    assert repr(raw(b"a\xff")) == r"StringTensor(['a\\xff'])"
    with pytest.raises(UnicodeDecodeError):
        raw(b"a\xff").tolist()


def test_parts_of_it():
    x = StringTensor(WORDS)
    assert x[1].tolist() == WORDS[1] and x[-1][0] == "x" and x[0][2] == "Ä"
    assert x[:1].shape == (1, 3) and x[::-1].tolist() == WORDS[::-1] and x[5:].shape == (0, 3)
    assert [row.tolist() for row in x] == WORDS and "x" in x and "y" not in x and 3 not in x
    with pytest.raises(IndexError, match="a StringTensor of 2 rows has no row 2"):
        x[2]
    with pytest.raises(TypeError, match="an int or a slice of its first dimension"):
        x[0, 1]  # type: ignore[index]


def test_its_memory_is_that_of_its_buffers():
    offsets, data = torch.tensor([0, 1, 3]), torch.tensor(list(b"abc"), dtype=torch.uint8)
    x = StringTensor.from_buffers(offsets, data, (2, 1))
    data[0] = ord("z")
    assert x.tolist() == [["z"], ["bc"]] and x.bytes.data_ptr() == data.data_ptr()


@pytest.mark.parametrize(
    ("strings", "error", "message"),
    [
        (["a", 1], TypeError, "made of a str or of nested lists of them, not of 1"),
        ([["a"], ["b", "c"]], ValueError, r"parts of the shapes \[1\] and \[2\]"),
        (["a", ["b"]], ValueError, r"parts of the shapes \[\] and \[1\]"),
    ],
)
def test_wrong_strings(strings, error, message):
    with pytest.raises(error, match=message):
        StringTensor(strings)


@pytest.mark.parametrize(
    ("offsets", "data", "shape"),
    [
        ([0, 4], b"abc", None),
        ([1, 3], b"abc", None),
        ([0, 2, 1, 3], b"abc", None),
        ([0, -1, 3], b"abc", None),
        ([0, 3], b"abc", (2,)),
    ],
)
def test_wrong_offsets(offsets, data, shape):
    with pytest.raises(ValueError, match="offsets of a StringTensor: expected"):
        StringTensor.from_buffers(torch.tensor(offsets), torch.tensor(list(data), dtype=torch.uint8), shape)


def test_wrong_buffers():
    good, data = torch.tensor([0, 1]), torch.tensor([65], dtype=torch.uint8)
    for offsets, text in ((good.int(), data), (good, data.int()), (good.view(1, 2), data), (good, data.to("meta"))):
        with pytest.raises(ValueError, match="of a StringTensor: expected a contiguous tensor of u?int"):
            StringTensor.from_buffers(offsets, text, (1,))
    with pytest.raises(TypeError, match="from_buffers: argument 'offsets': expected a Tensor, got list"):
        StringTensor.from_buffers([0, 1], data)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="expected a StringTensor, got a tensor of numbers"):
        _ = torch.ones(2).as_subclass(StringTensor).bytes


def test_offsets_that_were_overwritten_are_refused():
    x = StringTensor(WORDS)
    x.offsets[3] = 1 << 40
    for use_utf8 in (False, True):
        with pytest.raises(ValueError, match=r"strings_lower.*offsets of a StringTensor"):
            phi_torch.strings_lower(x, use_utf8)


# ---- the operators ----


def test_cases():
    x = StringTensor(WORDS)
    assert phi_torch.strings_lower(x).tolist() == [["ab", "", "Ä"], ["x", "日本", "zz"]]
    assert phi_torch.strings_upper(x).tolist() == [["AB", "", "Ä"], ["X", "日本", "ZZ"]]
    assert phi_torch.strings_lower(x, use_utf8_encoding=True).tolist() == [["ab", "", "ä"], ["x", "日本", "zz"]]
    assert x.tolist() == WORDS


def test_results_are_of_the_class():
    x = StringTensor(WORDS)
    for out in (
        phi_torch.strings_lower(x),
        torch.ops.phi.strings_lower(x),
        phi_torch.strings_empty([2, 3]),
        torch.ops.phi.strings_empty([0, 3]),
        phi_torch.strings_empty_like(x),
    ):
        assert type(out) is StringTensor
    assert phi_torch.strings_empty([2, 3]).tolist() == phi_torch.strings_empty_like(x).tolist() == [[""] * 3] * 2
    assert phi_torch.strings_empty([0, 3]).shape == (0, 3) and phi_torch.strings_empty([]).tolist() == ""
    assert [type(out) for out in [phi_torch.strings_lower(x) for _ in range(3)]] == [StringTensor] * 3


def test_letters_of_all_scripts():
    """As Python has them, for the letters that every Unicode since 3.2 has; those that became longer or shorter among them."""
    known = [c for c in LETTERS if unicodedata.ucd_3_2_0.category(c) != "Cn"]
    x = StringTensor(known)
    changed = lengths = 0
    for function, method in ((phi_torch.strings_lower, str.lower), (phi_torch.strings_upper, str.upper)):
        for letter, found in zip(known, function(x, True).tolist()):
            expected = method(letter)
            if len(expected) == 1 and unicodedata.ucd_3_2_0.category(expected) != "Cn":
                assert found == expected, (letter, found)
                changed += found != letter
                lengths += len(found.encode()) != len(letter.encode())
    assert changed > 1400 and lengths > 5
    assert phi_torch.strings_lower(StringTensor("İ"), True).tolist() == "i"
    assert phi_torch.strings_upper(StringTensor("ßᾳŉ"), True).tolist() == "ßᾼŉ"


def test_random_bytes():
    """Those that are no UTF-8 are refused, as Python does; without the encoding any bytes are taken."""
    rng, valid = random.Random(0), 0
    borders = b"aZ\xc3\x84\xe0\xa0\x80\xed\xbf\xf0\x90\xf4\x8f\xc0\xff"
    for _ in range(20000):
        text = bytes(rng.choices(borders, k=rng.randint(1, 4)))
        x = raw(b"ok", text)
        try:
            expected = text.decode()
        except UnicodeDecodeError as error:
            with pytest.raises(ValueError, match=f"string 1 is no UTF-8 at its byte {error.start};"):
                phi_torch.strings_upper(x, True)
        else:
            valid += not text.isascii()
            assert phi_torch.strings_upper(x, True).tolist()[1] == "".join(c.upper() for c in expected)
        assert bytes(phi_torch.strings_upper(x).bytes.tolist()) == b"OK" + text.upper()  # type: ignore[attr-defined]
    assert valid > 100


def test_into_a_given_tensor():
    x, out = StringTensor(WORDS), StringTensor(["old"])
    assert phi_torch.strings_upper(x, True, out=out) is out
    assert out.shape == (2, 3) and out.tolist() == [["AB", "", "Ä"], ["X", "日本", "ZZ"]] and type(out) is StringTensor
    assert phi_torch.strings_lower(x, out=x) is x and x.tolist()[0][0] == "ab"
    with pytest.raises(NotImplementedError, match=r"strings_upper: .*no kernel .*\(StringTensor, Strided\)"):
        phi_torch.strings_upper(x, out=torch.empty(0, dtype=torch.uint8))


def test_explained():
    plan = phi_torch.explain("strings_lower", StringTensor(WORDS))
    assert "pstring" in plan.calls[0].key and "strings_case.cc" in plan.calls[0].place
    assert len(phi_torch.explain("strings_empty", [2]).calls) == 1


# ---- what does not take them ----

NO_STRIDES = "a StringTensor has no strides: it is taken by the operators phi_torch.strings_"


@pytest.mark.parametrize(
    "call",
    [
        phi_torch.relu,
        phi_torch.exp,
        lambda x: phi_torch.add(x, x),
        lambda x: phi_torch.concat([x, x]),
        lambda x: phi_torch.reshape(x, [-1]),
        lambda x: phi_torch.scale(x, 2.0),
        torch.clone,
        lambda x: x.numpy(),
        lambda x: x.view(-1),
        torch.vmap(phi_torch.strings_lower),
    ],
)
def test_what_needs_numbers_says_so(call):
    with pytest.raises((TypeError, NotImplementedError), match=NO_STRIDES):
        call(StringTensor(WORDS))


@pytest.mark.parametrize("call", [lambda x: x + 1, torch.relu, lambda x: torch.ones(2, 3, dtype=torch.uint8).copy_(x), torch.sum])
def test_torch_finds_no_numbers_in_it(call):
    with pytest.raises((RuntimeError, TypeError), match=r"StringTensor|doesn't have storage"):
        call(StringTensor(WORDS))


def test_no_memory_of_another_tensor_is_taken():
    dense, strings = torch.ones(2), StringTensor(["a", "b"])
    with pytest.raises(TypeError, match="takes its data from another one"):
        strings.data = torch.ones(2, dtype=torch.uint8)
    with pytest.raises((TypeError, RuntimeError)):
        dense.data = strings
        _ = dense + 1


def test_gradients():
    with pytest.raises(RuntimeError, match="only Tensors of floating point"):
        StringTensor(WORDS).requires_grad_()
    with torch.enable_grad():
        assert not phi_torch.strings_lower(StringTensor(WORDS)).requires_grad


@pytest.mark.parametrize("mode", ["compile", "fake"])
def test_traces(mode):
    x = StringTensor(WORDS)
    with pytest.raises(Exception, match="StringTensor|strings_lower"):
        if mode == "compile":
            torch.compile(phi_torch.strings_lower, fullgraph=True, backend="eager")(x)
        else:
            with FakeTensorMode() as fake:
                phi_torch.strings_lower(fake.from_tensor(x))
