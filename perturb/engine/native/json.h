/* Rows as JSON, and edits as text. */
#pragma once
#include "edits.h"

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
    uint8_t *end = code < 0x20 ? (bytes[0] = (uint8_t)code, bytes + 1) : put_code(bytes, code);
    for (uint8_t *at = bytes; at < end; at++) {
        *to++ = '%';
        *to++ = (uint8_t)"0123456789ABCDEF"[*at >> 4];
        *to++ = (uint8_t)"0123456789ABCDEF"[*at & 15];
    }
    return to;
}

/* Write what an edit wrote or removed; `json` escapes what a string of JSON escapes. */
INLINE uint8_t *put_changed(uint8_t *to, const Column *strings, int64_t row, int json)
{
    for (int64_t i = strings->starts[row]; i < strings->ends[row]; i++) {
        uint32_t code = code_at(strings, i);
        if (is_sign(code))
            to = put_hexadecimal(to, code);
        else if (!json && (code == '"' || code == '\\'))
            *to++ = (uint8_t)code;
        else
            to = put_code(to, code);
    }
    return to;
}

/* More bytes than the edits take. */
INLINE int64_t changed_room(const Column *strings)
{
    int64_t room = 0;
    if (!in_range(strings)) return OUT_OF_RANGE;
    for (int64_t row = 0; row < strings->count; row++)
        for (int64_t i = strings->starts[row]; i < strings->ends[row]; i++) {
            uint32_t code = code_at(strings, i);
            if (code > 0x10FFFF) return OUT_OF_RANGE;
            room += is_sign(code) ? 9 : 4;
        }
    return room;
}

/* Write the edits of each text, `PATH|START:OLD>NEW|...`, nothing for one without, and where it
   ends; the size of all. Without `to`, how much room there must be. */
KERNEL(perturb_edit_texts,
       (const void *removed, int removed_wide, int64_t removed_size, const int64_t *removed_starts,
        const int64_t *removed_ends, const void *written, int written_wide, int64_t written_size,
        const int64_t *written_starts, const int64_t *written_ends, int64_t edits,
        const int64_t *counts, const int64_t *origins, int64_t texts, const uint8_t *path,
        int64_t path_size, int json, uint8_t *to, int64_t *text_ends),
       (removed, removed_wide, removed_size, removed_starts, removed_ends, written, written_wide,
        written_size, written_starts, written_ends, edits, counts, origins, texts, path, path_size,
        json, to, text_ends))
{
    Column old = {removed, removed_starts, removed_ends, removed_size, edits, removed_wide};
    Column new = {written, written_starts, written_ends, written_size, edits, written_wide};
    int64_t edit = 0;
    uint8_t *at = to;
    if (!to) {
        int64_t room = changed_room(&new), old_room = changed_room(&old);
        if (room < 0 || old_room < 0) return OUT_OF_RANGE;
        return texts * path_size + edits * (NUMBER_ROOM + 3) + room + old_room;
    }
    for (int64_t i = 0; i < texts; i++) {
        if (counts[i] < 0 || counts[i] > edits - edit) return OUT_OF_RANGE;
        if (counts[i]) at = put(at, path, path_size);
        for (int64_t last = edit + counts[i]; edit < last; edit++) {
            if (removed_starts[edit] < origins[i]) return OUT_OF_RANGE;
            at = put_number(PUT(at, "|"), removed_starts[edit] - origins[i]);
            at = put_changed(PUT(at, ":"), &old, edit, json);
            at = put_changed(PUT(at, ">"), &new, edit, json);
        }
        text_ends[i] = at - to;
    }
    return at - to;
}

/* What stands at one place of all rows: bytes of JSON, the same in all or for each row its own; or
   texts of one or four bytes a character, which become strings. */
enum { SAME, BYTES, NARROW, WIDE };
typedef struct {
    int64_t kind;
    const void *data;
    int64_t size;
    const int64_t *starts, *ends;
} Piece;

/* More bytes than rows take that are put together of these pieces. */
INLINE int64_t joined_room(const Piece *pieces, int64_t number, int64_t rows)
{
    int64_t room = 0;
    for (const Piece *one = pieces; one < pieces + number; one++) {
        if (one->kind == SAME) room += rows * one->size;
        if (one->kind == SAME) continue;
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

/* Write the pieces of each row, and where it ends; the size of all. Without `to`, how much room
   there must be. */
KERNEL(perturb_join,
       (const Piece *pieces, int64_t number, int64_t rows, uint8_t *to, int64_t *row_ends),
       (pieces, number, rows, to, row_ends))
{
    uint8_t *at = to;
    if (!to) return joined_room(pieces, number, rows);
    for (int64_t i = 0; i < rows; i++) {
        for (const Piece *one = pieces; one < pieces + number; one++) {
            if (one->kind == SAME) {
                at = put(at, one->data, one->size);
            } else if (one->kind == BYTES) {
                at = put(at, (const uint8_t *)one->data + one->starts[i],
                         one->ends[i] - one->starts[i]);
            } else {
                at = put_text(at, one->data, one->kind == WIDE, one->starts[i], one->ends[i]);
            }
        }
        row_ends[i] = at - to;
    }
    return at - to;
}
