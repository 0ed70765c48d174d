/* What the kernels ask of a compiler and a machine. */
#pragma once
/* Structures come as numbers of eight bytes, and addresses among them. */
#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ || __SIZEOF_POINTER__ != 8
#error "the kernels are for little-endian machines of 64 bits; NumPy does their work elsewhere"
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Define the function `name` by `name##_body`, compiled for any machine, for one with AVX2, and for
   one with AVX-512, which turns a number's bits in one instruction. KERNEL_OF takes another body
   for machines without AVX2. */
#define KERNEL(name, parameters, arguments) \
    KERNEL_OF(name, name##_body, name##_body, parameters, arguments)
#if !defined(PERTURB_LEVEL) /* 2 leaves out AVX-512, 1 AVX2 too, 0 SSE2 too, to test other machines */
#define PERTURB_LEVEL 3
#endif
#if defined(__x86_64__) && PERTURB_LEVEL > 1
#define AVX512 "avx512f,avx512vl,avx512bw,avx512dq"
#define HAS_AVX512 (PERTURB_LEVEL > 2 && __builtin_cpu_supports("avx512vl") && \
                    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
#define KERNEL_OF(name, body, plain, parameters, arguments)                               \
    __attribute__((target(AVX512))) static int64_t name##_avx512 parameters               \
    {                                                                                     \
        return body arguments;                                                            \
    }                                                                                     \
    __attribute__((target("avx2"))) static int64_t name##_avx2 parameters                 \
    {                                                                                     \
        return body arguments;                                                            \
    }                                                                                     \
    static int64_t name##_plain parameters { return plain arguments; }                    \
    EXPORT int64_t name parameters                                                        \
    {                                                                                     \
        if (HAS_AVX512) return name##_avx512 arguments;                                   \
        return __builtin_cpu_supports("avx2") ? name##_avx2 arguments                     \
                                              : name##_plain arguments;                   \
    }
#else
#define KERNEL_OF(name, body, plain, parameters, arguments) \
    EXPORT int64_t name parameters { return plain arguments; }
#endif

/* In place of a count. */
enum { OUT_OF_RANGE = -1, NO_MEMORY = -2, DECLINED = -3 };
