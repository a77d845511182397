"""Programs: PaddlePaddle's PIR, rebuilt.

paddle/  the files of Paddle 3
"""
