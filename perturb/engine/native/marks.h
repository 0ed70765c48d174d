/* Marks of characters: a bit for each, in words of 64. */
#pragma once
#include "platform.h"

#define WORD 64
#define WORDS(size) (((size) + WORD - 1) / WORD)

/* A bit for each of 64 flags, each of which is 0 or 255. */
INLINE uint64_t bits_of(const uint8_t *flags)
{
    uint64_t bits = 0;
#if defined(__SSE2__) && PERTURB_LEVEL > 0
    typedef char Sixteen __attribute__((vector_size(16)));
    for (int i = 0; i < WORD; i += 16) {
        Sixteen some;
        memcpy(&some, flags + i, 16);
        bits |= (uint64_t)(uint32_t)__builtin_ia32_pmovmskb128(some) << i;
    }
#else
    for (int i = 0; i < WORD; i += 8) {
        uint64_t eight;
        memcpy(&eight, flags + i, 8);
        bits |= ((eight & 0x0101010101010101u) * 0x0102040810204080u >> 56) << i;
    }
#endif
    return bits;
}

/* The bits of a mask of bytes, each of which is 0 or 1. */
INLINE void marks_of(const uint8_t *mask, int64_t size, uint64_t *marks)
{
    for (int64_t at = 0; at < size; at += WORD) {
        uint8_t flags[WORD] = {0};
        int64_t here = size - at < WORD ? size - at : WORD;
        memcpy(flags, mask + at, (size_t)here);
        for (int i = 0; i < WORD; i++) flags[i] = (uint8_t)-flags[i];
        marks[at / WORD] = bits_of(flags);
    }
}

/* Those of 64 bytes that lie in a range. */
INLINE uint64_t in_ranges(const uint8_t *bytes, const uint8_t *lowest, const uint8_t *highest,
                          int64_t ranges)
{
    uint8_t flags[WORD] = {0};
    for (int64_t r = 0; r < ranges; r++) {
        uint8_t low = lowest[r], width = (uint8_t)(highest[r] - low);
        for (int i = 0; i < WORD; i++)
            flags[i] |= (uint8_t)-((uint8_t)(bytes[i] - low) <= width);
    }
    return bits_of(flags);
}
