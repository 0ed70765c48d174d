/* What the kernels ask of a compiler and a machine. */
#pragma once
/* Structures come as numbers of eight bytes, and addresses among them. */
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || __SIZEOF_POINTER__ != 8
#error "the kernels are for little-endian machines of 64 bits; NumPy does their work elsewhere"
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define INLINE static inline

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* The kernels are compiled in three parts, side by side, of which 0 is for any machine, 1 for one with
   AVX2, and 2 for one with AVX-512, which turns a number's bits in one instruction. */
#if !defined(PERTURB_LEVEL) /* 2 leaves out AVX-512, 1 AVX2 too, 0 SSE2 too, to test other machines */
#define PERTURB_LEVEL 3
#endif
#define PRAGMA(text) _Pragma(#text)
#if defined(__clang__) /* until kernels.c ends */
#define FOR_MACHINES_WITH(features) \
    PRAGMA(clang attribute push(__attribute__((target(features))), apply_to = function))
#else
#define FOR_MACHINES_WITH(features) PRAGMA(GCC target(features))
#endif

/* Begin the kernel `name`, whose body follows. KERNEL_OF defines one that returns `value`, and `plain`
   where there is no AVX2. */
#define KERNEL(name, parameters, arguments)                                                    \
    INLINE int64_t name##_body parameters;                                                     \
    KERNEL_OF(name, parameters, arguments, name##_body arguments, name##_body arguments)       \
    INLINE int64_t name##_body parameters
#if PERTURB_PART && (!defined(__x86_64__) || PERTURB_PART >= PERTURB_LEVEL)
#define KERNEL_OF(name, parameters, arguments, value, plain)
#elif PERTURB_PART == 2
#define FOR_SOME_MACHINES
FOR_MACHINES_WITH("avx512f,avx512vl,avx512bw,avx512dq")
#define KERNEL_OF(name, parameters, arguments, value, plain)                                   \
    int64_t name##_avx512 parameters { return value; }
#elif PERTURB_PART == 1
#define FOR_SOME_MACHINES
FOR_MACHINES_WITH("avx2")
#define KERNEL_OF(name, parameters, arguments, value, plain)                                   \
    int64_t name##_avx2 parameters { return value; }
#elif defined(__x86_64__) && PERTURB_LEVEL > 1
#define HAS_AVX512 (PERTURB_LEVEL > 2 && __builtin_cpu_supports("avx512vl") && \
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
#define KERNEL_OF(name, parameters, arguments, value, plain)                                   \
    int64_t name##_avx512 parameters;                                                          \
    int64_t name##_avx2 parameters;                                                            \
    EXPORT int64_t name parameters                                                             \
    {                                                                                          \
        if (HAS_AVX512) return name##_avx512 arguments;                                        \
        return __builtin_cpu_supports("avx2") ? name##_avx2 arguments : plain;                 \
    }
#else
#define KERNEL_OF(name, parameters, arguments, value, plain)                                   \
    EXPORT int64_t name parameters { return plain; }
#endif

/* In place of a count. */
enum { OUT_OF_RANGE = -1, NO_MEMORY = -2, DECLINED = -3 };
