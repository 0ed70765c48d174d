/* Marks of characters: a bit for each, in words of 64. */
#pragma once
#include "edits.h"

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

/* How many line ends there are. */
KERNEL(perturb_line_ends, (const uint8_t *bytes, int64_t size), (bytes, size))
{
    int64_t count = 0;
    const uint8_t *end = bytes + size;
    for (; (bytes = memchr(bytes, '\n', (size_t)(end - bytes))); bytes++) count++;
    return count;
}

/* List the places of | in texts, and of all in lines that have one and no word. */
enum { ENDS_LINE = 1, OF_WORD = 2 };
KERNEL(perturb_in_tables,
       (const uint8_t *codes, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, const uint8_t *classes, int64_t *places),
       (codes, size, starts, ends, texts, classes, places))
{
    int64_t made = 0;
    if (!in_order(starts, ends, texts, size)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < texts; i++) {
        if (!memchr(codes + starts[i], '|', (size_t)(ends[i] - starts[i]))) continue;
        for (int64_t line = starts[i], at = line; line < ends[i]; line = ++at) {
            int64_t bars = made, words = 0;
            for (; at < ends[i] && !(classes[codes[at]] & ENDS_LINE); at++) {
                if (codes[at] == '|') places[made++] = at;
                words |= classes[codes[at]] & OF_WORD;
            }
            if (words || made == bars) continue;
            for (made = bars; line < at; line++) places[made++] = line;
        }
    }
    return made;
}
