"""Kernels in C for what takes the most time, where a library of them was compiled. Private.

NumPy defines what they do, and does it where there is no library or PERTURB_NATIVE is 0: the bytes
are the same. `binding` loads it, `kernels` calls it, and `build` compiles it.
"""
