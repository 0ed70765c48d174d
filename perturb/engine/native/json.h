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

INLINE uint8_t *put_number(uint8_t *to, int64_t number)
{
    char digits[20];
    int at = 20;
    do digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    return put(to, digits + at, 20 - at);
}

INLINE uint8_t *put_string(uint8_t *to, const Column *strings, int64_t row)
{
    return put(to, (const uint8_t *)strings->codes + strings->starts[row],
               strings->ends[row] - strings->starts[row]);
}

/* Write one list for each text, and where it ends; the size of all. Both columns hold bytes as they
   stand in JSON; what was removed is left out where `removed` is NULL. */
INLINE int64_t edit_lists(const int64_t *starts, const int64_t *ends, const Column *written,
                          const Column *removed, const int64_t *counts, const int64_t *origins,
                          int64_t texts, uint8_t *to, int64_t room, int64_t *list_ends)
{
    int64_t edit = 0, size = 2 * texts;
    if (!in_range(written) || (removed && !in_range(removed))) return OUT_OF_RANGE;
    for (int64_t i = 0; i < written->count; i++) {
        size += EDIT_ROOM + written->ends[i] - written->starts[i];
        if (removed) size += removed->ends[i] - removed->starts[i];
    }
    if (size > room) return OUT_OF_RANGE;
    uint8_t *at = to;
    for (int64_t i = 0; i < texts; i++) {
        if (counts[i] < 0 || counts[i] > written->count - edit) return OUT_OF_RANGE;
        *at++ = '[';
        for (int64_t last = edit + counts[i]; edit < last; edit++) {
            if (starts[edit] < origins[i] || ends[edit] < starts[edit]) return OUT_OF_RANGE;
            at = put_number(PUT(at, "{\"start\":"), starts[edit] - origins[i]);
            at = put_number(PUT(at, ",\"end\":"), ends[edit] - origins[i]);
            at = put_string(PUT(at, ",\"text\":\""), written, edit);
            if (removed) at = put_string(PUT(at, "\",\"removed\":\""), removed, edit);
            at = PUT(at, "\"},");
        }
        if (counts[i]) at--;
        *at++ = ']';
        list_ends[i] = at - to;
    }
    return at - to;
}

/* What stands at one place of all rows: bytes, and where they start and end for each row; without
   `starts` all of them, in every row. */
typedef struct {
    const uint8_t *bytes;
    int64_t size;
    const int64_t *starts, *ends;
} Piece;

/* Write the pieces of each row, and where it ends; the size of all. */
INLINE int64_t join(const Piece *pieces, int64_t number, int64_t rows, uint8_t *to, int64_t room,
                    int64_t *row_ends)
{
    int64_t at = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (const Piece *one = pieces; one < pieces + number; one++) {
            int64_t start = one->starts ? one->starts[i] : 0;
            int64_t end = one->starts ? one->ends[i] : one->size;
            if (start < 0 || end < start || end > one->size || end - start > room - at)
                return OUT_OF_RANGE;
            put(to + at, one->bytes + start, end - start);
            at += end - start;
        }
        row_ends[i] = at;
    }
    return at;
}
