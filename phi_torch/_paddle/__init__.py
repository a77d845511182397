"""What PaddlePaddle's formats of programs share: errors that name every fault, and files of parameters.

faults.py  ProgramError, and the faults that it names; parameters.py  `.pdiparams`, and one file for each variable
"""

from .. import _build_info

if not _build_info.programs:
    raise ImportError(
        f"this build of phi_torch, which {_build_info.trimmed}, runs no programs; "
        "rebuild with `programs : true` in the selection file, or without PHI_OPS"
    )
