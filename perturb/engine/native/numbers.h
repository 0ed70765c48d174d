/* Numbers in texts, as the pattern of the preset of protection defines them. */
#pragma once
#include "sentences.h"

/* What a character is in a number, as presets.py has it; NUL, which parts texts, is nothing. */
enum { BINARY = 1, OCTAL = 2, HEX = 4, DECIMAL = 8, NUMERAL = 16, BETWEEN = 32, SIGN = 64, CURRENCY = 128,
       UNIT = 256 };

INLINE int64_t past_decimal(const Classed *text, int64_t at)
{
    int is_behind = code_of(text, at - 1) == '.' || is_of(text, at - 1, DECIMAL);
    int64_t first = at + (code_of(text, at) == '.' && !is_behind), end = past(text, first, DECIMAL);
    if (end == first) return at;
    while (is_of(text, end, BETWEEN) && is_of(text, end + 1, DECIMAL)) end = past(text, end + 1, DECIMAL);
    if ((code_of(text, end) | 0x20) != 'e') return end;
    int64_t next = end + 1 + !!is_of(text, end + 1, SIGN);
    return is_of(text, next, DECIMAL) ? past(text, next, DECIMAL) : end;
}

/* Where the number at a place ends: the place if there is none. */
INLINE int64_t past_number(const Classed *text, int64_t start)
{
    int64_t at = start + !!is_of(text, start, SIGN), end = 0;
    at += !!is_of(text, at, CURRENCY);
    if (code_of(text, at) == '0') {
        uint32_t letter = code_of(text, at + 1) | 0x20;
        int base = letter == 'x' ? HEX : letter == 'b' ? BINARY : letter == 'o' ? OCTAL : 0;
        if (base && is_of(text, at + 2, base)) end = past(text, at + 2, base);
    }
    if (!end) end = past(text, past_decimal(text, at), NUMERAL);
    return end == at ? start : end + !!is_of(text, end, UNIT);
}

/* Find the numbers in texts that NUL parts; `starts` and `ends` have room for one at each place. */
KERNEL(perturb_numbers,
       (const void *codes, int wide, int64_t size, const uint16_t *classes, int64_t *starts,
        int64_t *ends),
       (codes, wide, size, classes, starts, ends))
{
    const Classed text = {codes, classes, wide};
    int64_t made = 0;
    for (int64_t i = 0; wide && i < size; i++)
        if (code_of(&text, i) >= CODE_POINTS) return OUT_OF_RANGE;
    if (size < 2 || classes[0] || code_of(&text, 0) || code_of(&text, size - 1)) return OUT_OF_RANGE;
    for (int64_t at = 1, end; at < size - 1; at = end > at ? end : at + 1) {
        at = next_in(&text, at, size - 1, DECIMAL | NUMERAL | SIGN | CURRENCY | BETWEEN);
        end = past_number(&text, at);
        starts[made] = at;
        ends[made] = end;
        made += end > at;
    }
    return made;
}
