/* Numbers in texts, where the preset of protection finds them; its pattern defines what one is. */
#pragma once
#include "edits.h"
#include "code_points.h"

/* What stands for numerals that are no digits; other characters stand for those of their kind. */
enum { NUMERAL = 1 };

typedef struct {
    const Column *texts;
    const uint8_t *kinds; /* of all code points, a character of ASCII for each */
    int64_t first, end;   /* the text */
} Scan;

INLINE uint8_t kind_at(const Scan *s, int64_t at)
{
    if (at < s->first || at >= s->end) return 0;
    uint32_t code = code_at(s->texts, at);
    return code < CODE_POINTS ? s->kinds[code] : 0;
}

INLINE int is_one_of(uint8_t kind, const char *kinds) { return kind && strchr(kinds, kind); }

INLINE int64_t past_digits(const Scan *s, int64_t at, int base)
{
    for (;; at++) {
        uint8_t kind = kind_at(s, at), digit = (uint8_t)(kind - '0');
        int is_letter = base == 16 && (uint8_t)((kind | 0x20) - 'a') < 6;
        if (!is_letter && digit >= (base < 10 ? base : 10)) return at;
    }
}

/* Where the decimal number at a place ends: the place if there is none. */
INLINE int64_t past_decimal(const Scan *s, int64_t at)
{
    uint8_t before = kind_at(s, at - 1);
    int64_t start = at + (kind_at(s, at) == '.' && before != '.' && (uint8_t)(before - '0') > 9);
    int64_t end = past_digits(s, start, 10), next = end;
    if (end == start) return at;
    while (is_one_of(kind_at(s, end), ".,:/'_") && (next = past_digits(s, end + 1, 10)) > end + 1)
        end = next;
    if ((kind_at(s, end) | 0x20) != 'e') return end;
    start = end + 1 + is_one_of(kind_at(s, end + 1), "+-");
    next = past_digits(s, start, 10);
    return next > start ? next : end;
}

/* Where the number at a place ends: the place if there is none. */
INLINE int64_t past_number(const Scan *s, int64_t start)
{
    int64_t at = start + is_one_of(kind_at(s, start), "+-");
    at += kind_at(s, at) == '$';
    uint8_t letter = kind_at(s, at + 1) | 0x20;
    int base = letter == 'x' ? 16 : letter == 'b' ? 2 : letter == 'o' ? 8 : 0;
    int64_t end = base && kind_at(s, at) == '0' ? past_digits(s, at + 2, base) : at + 2;
    if (end == at + 2) {
        end = past_decimal(s, at);
        while (kind_at(s, end) == NUMERAL) end++;
        if (end == at) return start;
    }
    return end + is_one_of(kind_at(s, end), "$%");
}

/* Find the numbers in texts, and how many they are. */
KERNEL(perturb_numbers,
       (const void *codes, int wide, int64_t size, const int64_t *text_starts,
        const int64_t *text_ends, int64_t count, const uint8_t *kinds, int64_t *starts,
        int64_t *ends),
       (codes, wide, size, text_starts, text_ends, count, kinds, starts, ends))
{
    Column texts = {codes, text_starts, text_ends, size, count, wide};
    int64_t made = 0;
    if (!in_order(text_starts, text_ends, count, size)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < count; i++) {
        Scan s = {&texts, kinds, text_starts[i], text_ends[i]};
        for (int64_t at = s.first, end; at < s.end; at = end > at ? end : at + 1) {
            uint8_t kind = kind_at(&s, at);
            end = at;
            if (kind && (kind <= '9')) end = past_number(&s, at);
            if (end == at) continue;
            starts[made] = at;
            ends[made++] = end;
        }
    }
    return made;
}
