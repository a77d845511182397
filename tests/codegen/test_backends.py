"""The manifests of the backends: csrc/backends/<name>/manifest.yaml."""

import re
from pathlib import Path

import pytest

from codegen.model import backends as module
from codegen.model.backends import backend_of, backends
from codegen.model.category import GENERATED_BACKENDS

CSRC = Path(__file__).resolve().parents[2] / "csrc"


def test_each_backend_says_what_its_context_is():
    for backend in backends():
        specialised = re.findall(r"struct BackendContext<Backend::(\w+)>", (CSRC / backend.context).read_text())
        assert sorted(specialised) == sorted(backend.kernels), backend.name


def test_no_two_backends_share_a_device_a_kernel_backend_or_a_folder():
    for field in ("device", "dispatch_key", "context"):
        values = [getattr(backend, field) for backend in backends()]
        assert len(set(values)) == len(values) > 2, field
    for field in ("kernels", "folders"):
        values = [value for backend in backends() for value in getattr(backend, field)]
        assert len(set(values)) == len(values), field


def test_kernels_are_generated_for_what_has_a_library():
    assert GENERATED_BACKENDS == ("CPU", "GPU")


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("kernels/conv/a.cc", "cpu"),
        ("kernels/cpu/a.cc", "cpu"),
        ("kernels/gpu/a.cu", "gpu"),
        ("kernels/funcs/a.cu", "gpu"),
        ("kernels/library/gpudnn/a.cc", "gpu"),
        ("torch/gpu/a.cc", "gpu"),
        ("core/a.cc", None),
        ("torch/a.cc", None),
    ],
)
def test_the_innermost_folder_or_the_suffix_says_the_backend(source, name):
    found = backend_of(Path(source))
    assert (found and found.name) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "kernels : [CUSTOM]\ncontext : a.h\ndevice : b\nkey : B\n",
            "unknown field 'key'; known are kernels, context, device, dispatch_key",
        ),
        ("kernels : [CUSTOM]\ncontext : a.h\ndevice : b\n", "there is no 'dispatch_key'"),
    ],
)
def test_a_wrong_manifest_is_an_error(tmp_path, text, message):
    file = tmp_path / "manifest.yaml"
    file.write_text(text)
    with pytest.raises(ValueError, match=f"manifest.yaml: {re.escape(message)}"):
        module._read(file)
