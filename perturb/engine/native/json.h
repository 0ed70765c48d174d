/* Rows and lists of edits as JSON. */
#pragma once
#include "edits.h"

/* More bytes than an edit takes besides its strings: the keys, two numbers, signs between. */
#define EDIT_ROOM 96

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
    int digits = digits_of(left);
    for (int i = digits; i--; left /= 10) to[i] = (uint8_t)('0' + left % 10);
    return to + digits;
}

/* Write a code point as it stands in a string, as orjson has it. */
INLINE uint8_t *put_code(uint8_t *to, uint32_t code)
{
    static const char short_forms[32] = {[8] = 'b', [9] = 't', [10] = 'n', [12] = 'f', [13] = 'r'};
    static const uint8_t leads[4] = {0, 0xC0, 0xE0, 0xF0};
    if (code == '"' || code == '\\' || (code < 0x20 && short_forms[code])) {
        *to++ = '\\';
        *to++ = (uint8_t)(code < 0x20 ? short_forms[code] : (char)code);
    } else if (code < 0x20) {
        to = PUT(to, "\\u00");
        *to++ = (uint8_t)('0' + (code >> 4));
        *to++ = (uint8_t)"0123456789abcdef"[code & 15];
    } else if (code < 0x80) {
        *to++ = (uint8_t)code;
    } else {
        int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
        *to++ = (uint8_t)(leads[more] | code >> 6 * more);
        while (more--) *to++ = (uint8_t)(0x80 | (code >> 6 * more & 0x3F));
    }
    return to;
}

INLINE int is_special(uint8_t code, uint8_t highest)
{
    return (code == '"') | (code == '\\') | (code < 0x20) | (code > highest);
}

/* Write bytes up to the first that does not stand for itself in a string; how many they are. */
INLINE int64_t put_plain(uint8_t *to, const uint8_t *from, int64_t size, uint8_t highest)
{
    typedef uint8_t Block __attribute__((vector_size(32)));
    Block block, special;
    int64_t at = 0;
    for (; size - at >= 32; at += 32) {
        uint64_t any[4];
        memcpy(&block, from + at, 32);
        special = (Block)((block == '"') | (block == '\\') | (block < 0x20) | (block > highest));
        memcpy(any, &special, 32);
        if (any[0] | any[1] | any[2] | any[3]) break;
        memcpy(to + at, &block, 32);
    }
    for (; at < size && !is_special(from[at], highest); at++) to[at] = from[at];
    return at;
}

/* More bytes than a text of `wide` or narrow characters takes as a string; -1 if it can't be one. */
INLINE int64_t string_room(const void *codes, int wide, int64_t start, int64_t end)
{
    int64_t room = end - start + 2;
    if (wide) {
        const uint32_t *own = codes;
        int refused = 0;
        for (int64_t i = start; i < end; i++) {
            room += 5 * (own[i] < 0x20) + (own[i] == '"') + (own[i] == '\\') + 3 * (own[i] >= 0x80);
            refused |= (own[i] - 0xD800 < 0x800) | (own[i] > 0x10FFFF);
        }
        return refused ? -1 : room;
    }
    const uint8_t *own = codes;
    for (int64_t i = start; i < end; i++)
        room += 5 * (own[i] < 0x20) + (own[i] == '"') + (own[i] == '\\') + (own[i] >= 0x80);
    return room;
}

INLINE uint8_t *put_text(uint8_t *to, const void *codes, int wide, int64_t start, int64_t end)
{
    *to++ = '"';
    while (start < end) {
        if (!wide) {
            int64_t plain = put_plain(to, (const uint8_t *)codes + start, end - start, 0x7F);
            to += plain;
            start += plain;
            if (start == end) break;
        }
        uint32_t code = wide ? ((const uint32_t *)codes)[start] : ((const uint8_t *)codes)[start];
        to = put_code(to, code);
        start++;
    }
    *to++ = '"';
    return to;
}

/* More bytes than the lists take; what was removed is left out where `removed` is NULL. */
INLINE int64_t lists_room(const Column *written, const Column *removed, int64_t texts)
{
    int64_t room = 2 * texts + EDIT_ROOM * written->count;
    if (!in_range(written) || (removed && !in_range(removed))) return OUT_OF_RANGE;
    for (const Column *one = written; one; one = one == written ? removed : NULL) {
        for (int64_t i = 0; i < one->count; i++) {
            int64_t own = string_room(one->codes, one->wide, one->starts[i], one->ends[i]);
            if (own < 0) return DECLINED;
            room += own;
        }
    }
    return room;
}

INLINE uint8_t *put_string(uint8_t *to, const Column *strings, int64_t row)
{
    return put_text(to, strings->codes, strings->wide, strings->starts[row], strings->ends[row]);
}

/* Write one list for each text, and where it ends, into as much room as `lists_room` says; the size
   of all. */
INLINE int64_t edit_lists(const int64_t *starts, const int64_t *ends, const Column *written,
                          const Column *removed, const int64_t *counts, const int64_t *origins,
                          int64_t texts, uint8_t *to, int64_t *list_ends)
{
    int64_t edit = 0;
    uint8_t *at = to;
    for (int64_t i = 0; i < texts; i++) {
        if (counts[i] < 0 || counts[i] > written->count - edit) return OUT_OF_RANGE;
        *at++ = '[';
        for (int64_t last = edit + counts[i]; edit < last; edit++) {
            if (starts[edit] < origins[i] || ends[edit] < starts[edit]) return OUT_OF_RANGE;
            at = put_number(PUT(at, "{\"start\":"), starts[edit] - origins[i]);
            at = put_number(PUT(at, ",\"end\":"), ends[edit] - origins[i]);
            at = put_string(PUT(at, ",\"text\":"), written, edit);
            if (removed) at = put_string(PUT(at, ",\"removed\":"), removed, edit);
            at = PUT(at, "},");
        }
        if (counts[i]) at--;
        *at++ = ']';
        list_ends[i] = at - to;
    }
    return at - to;
}

/* What stands at one place of all rows: bytes of JSON, the same in all or for each row its own;
   whole numbers; or texts of one or four bytes a character, which become strings. */
enum { SAME, BYTES, NUMBERS, NARROW, WIDE };
typedef struct {
    int64_t kind;
    const void *data;
    int64_t size;
    const int64_t *starts, *ends;
} Piece;

#define NUMBER_ROOM 20

/* More bytes than rows take that are put together of these pieces. */
INLINE int64_t joined_room(const Piece *pieces, int64_t number, int64_t rows)
{
    int64_t room = 0;
    for (const Piece *one = pieces; one < pieces + number; one++) {
        if (one->kind == SAME) room += rows * one->size;
        if (one->kind == NUMBERS) room += rows * NUMBER_ROOM;
        if (one->kind == SAME || one->kind == NUMBERS) continue;
        for (int64_t i = 0; i < rows; i++) {
            int64_t start = one->starts[i], end = one->ends[i], own = end - start;
            if (start < 0 || end < start || end > one->size) return OUT_OF_RANGE;
            if (one->kind != BYTES) own = string_room(one->data, one->kind == WIDE, start, end);
            if (own < 0) return DECLINED;
            room += own;
        }
    }
    return room;
}

/* Write the pieces of each row, and where it ends, into as much room as `joined_room` says; the
   size of all. */
INLINE int64_t join(const Piece *pieces, int64_t number, int64_t rows, uint8_t *to,
                    int64_t *row_ends)
{
    uint8_t *at = to;
    for (int64_t i = 0; i < rows; i++) {
        for (const Piece *one = pieces; one < pieces + number; one++) {
            if (one->kind == SAME) {
                at = put(at, one->data, one->size);
            } else if (one->kind == BYTES) {
                at = put(at, (const uint8_t *)one->data + one->starts[i],
                         one->ends[i] - one->starts[i]);
            } else if (one->kind == NUMBERS) {
                at = put_number(at, ((const int64_t *)one->data)[i]);
            } else {
                at = put_text(at, one->data, one->kind == WIDE, one->starts[i], one->ends[i]);
            }
        }
        row_ends[i] = at - to;
    }
    return at - to;
}
