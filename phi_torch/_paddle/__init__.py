"""What PaddlePaddle's formats of programs share: errors that name every fault, and files of parameters.

faults.py  ProgramError, and the faults that it names; parameters.py  `.pdiparams`, and one file for each variable
"""
