"""The classes of the IR, which are C++: defined when this module is first imported."""

import sys

from .. import _C

_C.bind_ir(sys.modules[__name__])
