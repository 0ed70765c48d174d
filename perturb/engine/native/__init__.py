"""Kernels in C for the slowest work, used if their library was compiled. Private.

NumPy defines their results, and computes the same bytes if there is no library or PERTURB_NATIVE
is 0. `binding` loads the library, `kernels` calls it, and `build` compiles it.
"""
