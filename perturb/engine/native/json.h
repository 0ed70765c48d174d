/* Rows as JSON, and edits as text. */
#pragma once
#include "code_points.h"

/* The longest number of 64 bits. */
#define NUMBER_ROOM 20

INLINE uint8_t *put(uint8_t *to, const void *bytes, int64_t size)
{
    if (size) memcpy(to, bytes, (size_t)size);
    return to + size;
}

#define PUT(to, literal) put(to, literal, sizeof(literal) - 1)

INLINE int digits_of(uint64_t number)
{
    int digits = 1;
    for (uint64_t least = 10; digits < 20 && number >= least; least *= 10) digits++;
    return digits;
}

INLINE uint8_t *put_number(uint8_t *to, int64_t number)
{
    uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;
    if (number < 0) *to++ = '-';
    if (left < 1000) { /* as most are: the digits do not wait for each other */
        uint32_t few = (uint32_t)left, tens = few * 6554 >> 16, hundreds = few * 5243 >> 19;
        *to = (uint8_t)('0' + hundreds);
        to += few > 99;
        *to = (uint8_t)('0' + tens - 10 * hundreds);
        to += few > 9;
        *to = (uint8_t)('0' + few - 10 * tens);
        return to + 1;
    }
    int digits = digits_of(left);
    for (int i = digits; i--; left /= 10) to[i] = (uint8_t)('0' + left % 10);
    return to + digits;
}

INLINE uint8_t *put_digits(uint8_t *to, uint64_t number, int digits)
{
    while (digits--) *to++ = (uint8_t)"0123456789abcdef"[number >> 4 * digits & 15];
    return to;
}

/* Whether a code point is of ASCII, and stands for itself both in a string and in the text of edits. */
INLINE int is_usual(uint32_t code)
{
    static const uint64_t usual[2] = {0x97FFF7DB00000000u, 0x6FFFFFFFEFFFFFFFu};
    return code < 0x80 && usual[code / 64] >> code % 64 & 1;
}

/* Write a code point as it stands in a string, as orjson has it. */
INLINE uint8_t *put_code(uint8_t *to, uint32_t code)
{
    static const char short_forms[32] = {[8] = 'b', [9] = 't', [10] = 'n', [12] = 'f', [13] = 'r'};
    if (is_usual(code)) {
        *to++ = (uint8_t)code;
    } else if (code == '"' || code == '\\' || (code < 0x20 && short_forms[code])) {
        *to++ = '\\';
        *to++ = (uint8_t)(code < 0x20 ? short_forms[code] : (char)code);
    } else if (code < 0x20) {
        to = put_digits(PUT(to, "\\u00"), code, 2);
    } else {
        to = put_utf8(to, code);
    }
    return to;
}

INLINE int is_special(uint8_t code, uint8_t highest)
{
    return (code == '"') | (code == '\\') | (code < 0x20) | (code > highest);
}

/* Write bytes up to the first that does not stand for itself in a string, or is above `highest`, 0x7F
   or 0xFF; how many they are. Masks take the place of branches where the machine has them. */
#if PERTURB_PART == 2 && defined(FOR_SOME_MACHINES)
INLINE int64_t put_plain(uint8_t *to, const uint8_t *from, int64_t size, uint8_t highest)
{
    for (int64_t at = 0;; at += 32) {
        int64_t here = size - at < 32 ? size - at : 32;
        uint32_t plain = here < 32 ? (1u << here) - 1 : ~0u;
        __m256i block = _mm256_maskz_loadu_epi8(plain, from + at);
        uint32_t special = _mm256_cmpeq_epi8_mask(block, _mm256_set1_epi8('"')) |
                           _mm256_cmpeq_epi8_mask(block, _mm256_set1_epi8('\\')) |
                           _mm256_cmplt_epu8_mask(block, _mm256_set1_epi8(0x20));
        if (highest < 0xFF) special |= _mm256_movepi8_mask(block);
        special |= ~plain;
        plain &= (special & -special) - 1;
        _mm256_mask_storeu_epi8(to + at, plain, block);
        if (special) return at + __builtin_ctz(special);
    }
}
#else
/* Copy up to 16 bytes, and none behind them. */
INLINE void put_few(uint8_t *to, const uint8_t *from, int64_t size)
{
    uint64_t first, last;
    if (size >= 8) {
        memcpy(&first, from, 8);
        memcpy(&last, from + size - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + size - 8, &last, 8);
    } else
        for (int64_t i = 0; i < size; i++) to[i] = from[i];
}

/* The same, with vectors of 16 bytes, which every machine has. */
INLINE int64_t put_plain(uint8_t *to, const uint8_t *from, int64_t size, uint8_t highest)
{
    typedef uint8_t Block __attribute__((vector_size(16)));
    Block block, special;
    int64_t at = 0;
    for (; size - at >= 16; at += 16) {
        uint64_t any[2];
        memcpy(&block, from + at, 16);
        special = (Block)((block == '"') | (block == '\\') | (block < 0x20) | (block > highest));
        memcpy(any, &special, 16);
        if (any[0] | any[1]) {
            int64_t plain = (any[0] ? 0 : 64) + __builtin_ctzll(any[0] ? any[0] : any[1]);
            put_few(to + at, from + at, plain / 8);
            return at + plain / 8;
        }
        memcpy(to + at, &block, 16);
    }
    for (; at < size && !is_special(from[at], highest); at++) to[at] = from[at];
    return at;
}
#endif

/* Write a part of a text as it stands in a string. */
INLINE uint8_t *put_part(uint8_t *to, const Column *texts, int64_t start, int64_t end)
{
    for (; start < end; start++) {
        if (!texts->wide) {
            const uint8_t *codes = texts->codes;
            int64_t plain = put_plain(to, codes + start, end - start, 0x7F);
            to += plain;
            start += plain;
            if (start == end) break;
        }
        to = put_code(to, code_at(texts, start));
    }
    return to;
}

/* Write a part of a text; where `is_list` its lines as items, without the quotes around all. */
INLINE uint8_t *put_lines(uint8_t *to, const Column *texts, int64_t start, int64_t end, int is_list)
{
    for (int64_t at = start; is_list && at < end; at++) {
        if (code_at(texts, at) != '\n') continue;
        to = PUT(put_part(to, texts, start, at), "\",\"");
        start = at + 1;
    }
    return put_part(to, texts, start, end);
}

/* Whether a code point is written in the text of edits as its bytes in hexadecimal: a sign of the
   grammar, a control character, a separator of lines, or a lone surrogate. */
INLINE int is_sign(uint32_t code)
{
    if (code < 0x80)
        return (code < 0x20) | (code == 0x7F) | (code == '%') | (code == '|') | (code == '>') |
               (code == '=') | (code == ';') | (code == '+');
    return (code < 0xA0) | (code - 0x2028 < 2) | (code - 0xD800 < 0x800);
}

INLINE uint8_t *put_hexadecimal(uint8_t *to, uint32_t code)
{
    uint8_t bytes[4];
    uint8_t *end = put_utf8(bytes, code);
    for (uint8_t *at = bytes; at < end; at++) {
        *to++ = '%';
        *to++ = (uint8_t)"0123456789ABCDEF"[*at >> 4];
        *to++ = (uint8_t)"0123456789ABCDEF"[*at & 15];
    }
    return to;
}

/* Write what an edit wrote or removed, at most LONGEST_CHANGED bytes for each code point; `json`
   escapes what a string of JSON escapes. */
#define LONGEST_CHANGED 9
INLINE uint8_t *put_changed(uint8_t *to, const Column *strings, int64_t row, int json)
{
    for (int64_t i = strings->starts[row]; i < strings->ends[row]; i++) {
        uint32_t code = code_at(strings, i);
        if (is_usual(code))
            *to++ = (uint8_t)code;
        else if (is_sign(code))
            to = put_hexadecimal(to, code);
        else if (!json && (code == '"' || code == '\\'))
            *to++ = (uint8_t)code;
        else
            to = put_code(to, code);
    }
    return to;
}

/* What was made of texts: they before and after, and the edits between. */
typedef struct {
    Column before, after, written;
    const int64_t *starts, *ends; /* of what each edit replaces, in the texts before */
    const int64_t *edges;         /* between the edits of the texts: one more than texts */
    int64_t edits;
} Made;

/* More bytes than the edits of a text take; OUT_OF_RANGE where they do not lie in it. */
INLINE int64_t edits_room(const Made *made, int64_t text)
{
    int64_t at = made->before.starts[text], first = made->edges[text], last = made->edges[text + 1];
    if (at < 0 || made->before.ends[text] > made->before.size) return OUT_OF_RANGE;
    if (first < 0 || first > last || last > made->edits || last > made->written.count)
        return OUT_OF_RANGE;
    int64_t room = (last - first) * (NUMBER_ROOM + 3);
    for (int64_t edit = first; edit < last; edit++) {
        int64_t written = made->written.ends[edit] - made->written.starts[edit];
        if (!is_inside(&made->written, edit)) return OUT_OF_RANGE;
        if (made->starts[edit] < at || made->ends[edit] < made->starts[edit]) return OUT_OF_RANGE;
        room += LONGEST_CHANGED * (written + made->ends[edit] - made->starts[edit]);
        at = made->ends[edit];
    }
    return at > made->before.ends[text] ? OUT_OF_RANGE : room;
}

/* Write the edits of a text, `|START:OLD>NEW|...`. */
INLINE uint8_t *put_edits(uint8_t *to, const Made *made, int64_t text, int json)
{
    Column replaced = made->before;
    replaced.starts = made->starts;
    replaced.ends = made->ends;
    for (int64_t edit = made->edges[text]; edit < made->edges[text + 1]; edit++) {
        to = put_number(PUT(to, "|"), made->starts[edit] - made->before.starts[text]);
        to = put_changed(PUT(to, ":"), &replaced, edit, json);
        to = put_changed(PUT(to, ">"), &made->written, edit, json);
    }
    return to;
}

/* Write the edits of each text behind a path, nothing for one without, and where it ends; the size
   of all. */
KERNEL(perturb_edit_texts,
       (const Made *made, const uint8_t *path, int64_t path_size, uint8_t *to, int64_t room,
        int64_t *text_ends),
       (made, path, path_size, to, room, text_ends))
{
    uint8_t *at = to;
    for (int64_t i = 0; i < made->before.count; i++) {
        int64_t most = edits_room(made, i);
        if (most < 0 || most + path_size > room - (at - to)) return OUT_OF_RANGE;
        if (made->edges[i] < made->edges[i + 1]) at = put_edits(put(at, path, path_size), made, i, 0);
        text_ends[i] = at - to;
    }
    return at - to;
}
