/* Code points as bytes: of a table, and of UTF-8. */
#pragma once
#include "edits.h"

#define CODE_POINTS 0x110000
#define AT_ONCE 8 /* so many code points are ASCII, or looked at one by one */

INLINE int is_ascii(const void *codes, int wide, int64_t from, int64_t count)
{
    uint32_t all = 0;
    if (wide)
        for (int64_t i = 0; i < count; i++) all |= ((const uint32_t *)codes)[from + i];
    else
        for (int64_t i = 0; i < count; i++) all |= ((const uint8_t *)codes)[from + i];
    return all < 0x80;
}

/* Write code points in UTF-8, lone surrogates as any other; the end of what is written. A code
   point takes at most four bytes, one of Latin-1 at most two. */
INLINE uint8_t *utf8(const Column *column, int64_t start, int64_t end, uint8_t *to)
{
    while (start < end) {
        int64_t count = end - start < AT_ONCE ? end - start : AT_ONCE;
        if (count == AT_ONCE && is_ascii(column->codes, column->wide, start, AT_ONCE)) {
            for (int i = 0; i < AT_ONCE; i++) *to++ = (uint8_t)code_at(column, start + i);
            start += AT_ONCE;
            continue;
        }
        for (; count--; start++) {
            uint32_t code = code_at(column, start);
            if (code < 0x80) {
                *to++ = (uint8_t)code;
                continue;
            }
            if (code < 0x800) {
                *to++ = (uint8_t)(0xC0 | code >> 6);
            } else {
                if (code < 0x10000) {
                    *to++ = (uint8_t)(0xE0 | code >> 12);
                } else {
                    *to++ = (uint8_t)(0xF0 | code >> 18);
                    *to++ = (uint8_t)(0x80 | (code >> 12 & 0x3F));
                }
                *to++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
            }
            *to++ = (uint8_t)(0x80 | (code & 0x3F));
        }
    }
    return to;
}

/* Look code points up in a table of bytes, which has 0 to 127 as they are; how many are as `odd`. */
KERNEL(perturb_narrow,
       (const uint32_t *codes, int64_t size, const uint8_t *table, int odd, uint8_t *to),
       (codes, size, table, odd, to))
{
    int64_t found = 0;
    for (int64_t at = 0; at < size; at += AT_ONCE) {
        int64_t count = size - at < AT_ONCE ? size - at : AT_ONCE;
        if (count == AT_ONCE && is_ascii(codes, 1, at, AT_ONCE)) {
            for (int i = 0; i < AT_ONCE; i++) to[at + i] = (uint8_t)codes[at + i];
            continue;
        }
        for (int64_t i = at; i < at + count; i++) {
            if (codes[i] >= CODE_POINTS) return OUT_OF_RANGE;
            to[i] = table[codes[i]];
            found += to[i] == odd;
        }
    }
    return found;
}
