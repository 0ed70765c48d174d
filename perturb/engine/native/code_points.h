/* Code points as bytes: of a table, and of UTF-8. */
#pragma once
#include "edits.h"

#define CODE_POINTS 0x110000
#define AT_ONCE 8 /* so many code points are ASCII, or looked at one by one */

INLINE int is_ascii(const void *codes, int wide, int64_t from, int64_t count)
{
    uint32_t all = 0;
    uint64_t word, words = 0;
    const uint8_t *bytes = (const uint8_t *)codes + from;
    if (wide)
        for (int64_t i = 0; i < count; i++) all |= ((const uint32_t *)codes)[from + i];
    else
        for (; count >= 8; count -= 8, bytes += 8) {
            memcpy(&word, bytes, 8);
            words |= word;
        }
    for (int64_t i = 0; !wide && i < count; i++) all |= bytes[i];
    return all < 0x80 && !(words & 0x8080808080808080u);
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

/* Look the code points of texts up in tables of bytes, which have 0 to 127 as they are, for each text
   in the one that `of` says, or else the first; mark the texts with any that is `odd`. */
KERNEL(perturb_narrow,
       (const void *codes, int wide, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, const uint8_t *const *tables, int64_t count, const uint8_t *of, int odd,
        uint8_t *to, uint8_t *marks),
       (codes, wide, size, starts, ends, texts, tables, count, of, odd, to, marks))
{
    Column column = {codes, starts, ends, size, texts, wide};
    int64_t found = 0;
    if (!in_range(&column)) return OUT_OF_RANGE;
    memset(to, 0, (size_t)size);
    for (int64_t i = 0; i < texts; i++) {
        if (of && of[i] >= count) return OUT_OF_RANGE;
        const uint8_t *table = tables[of ? of[i] : 0];
        int seen = 0;
        for (int64_t at = starts[i]; at < ends[i];) {
            int64_t stop = ends[i] - at < AT_ONCE ? ends[i] : at + AT_ONCE;
            if (stop - at == AT_ONCE && is_ascii(codes, wide, at, AT_ONCE)) {
                for (int j = 0; j < AT_ONCE; j++) to[at + j] = (uint8_t)code_at(&column, at + j);
                at = stop;
                continue;
            }
            for (; at < stop; at++) {
                uint32_t code = code_at(&column, at);
                if (code >= CODE_POINTS) return OUT_OF_RANGE;
                to[at] = table[code];
                seen |= to[at] == odd;
            }
        }
        found += marks[i] = (uint8_t)seen;
    }
    return found;
}
