/* Texts after edits. */
#pragma once
#include "platform.h"

/* A column of strings: code points of one byte, or of four where `wide`. */
typedef struct {
    const void *codes;
    const int64_t *starts, *ends;
    int64_t size, count;
    int wide;
} Column;

INLINE uint32_t code_at(const Column *column, int64_t place)
{
    return column->wide ? ((const uint32_t *)column->codes)[place]
                        : ((const uint8_t *)column->codes)[place];
}

/* Whether a string lies among the codes. */
INLINE int is_inside(const Column *column, int64_t string)
{
    int64_t start = column->starts[string], end = column->ends[string];
    return start >= 0 && end >= start && end <= column->size;
}

INLINE int in_range(const Column *column)
{
    for (int64_t i = 0; i < column->count; i++)
        if (!is_inside(column, i)) return 0;
    return 1;
}

/* Whether spans lie in a text of `size`, in order and without overlap. */
INLINE int in_order(const int64_t *starts, const int64_t *ends, int64_t count, int64_t size)
{
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        if (starts[i] < at || ends[i] < starts[i]) return 0;
        at = ends[i];
    }
    return at <= size;
}

/* Copy code points of a column into an array of four bytes each if `to_wide`; where they end there. */
INLINE int64_t copy(const Column *from, int64_t start, int64_t end, void *to, int to_wide, int64_t at)
{
    size_t width = to_wide ? sizeof(uint32_t) : 1, size = (size_t)(end - start);
    if (from->wide != to_wide)
        for (int64_t i = 0; i < end - start; i++)
            ((uint32_t *)to)[at + i] = ((const uint8_t *)from->codes)[start + i];
    else if (size)
        memcpy((uint8_t *)to + width * (size_t)at, (const uint8_t *)from->codes + width * (size_t)start,
               width * size);
    return at + end - start;
}

/* Write texts after edits into `to`, and where each now starts and ends; the size of all. */
KERNEL(perturb_apply,
       (const void *codes, int wide, int64_t size, const int64_t *text_starts,
        const int64_t *text_ends, int64_t texts, const int64_t *starts, const int64_t *ends,
        int64_t edits, const void *written, int written_wide, int64_t written_size,
        const int64_t *written_starts, const int64_t *written_ends, void *to, int64_t room,
        int64_t *new_starts, int64_t *new_ends),
       (codes, wide, size, text_starts, text_ends, texts, starts, ends, edits, written,
        written_wide, written_size, written_starts, written_ends, to, room, new_starts, new_ends))
{
    Column source = {codes, text_starts, text_ends, size, texts, wide};
    Column strings = {written, written_starts, written_ends, written_size, edits, written_wide};
    int64_t at = 0, done = 0, first = 0, last = 0, grown = 0, grown_last = 0, new_size = size;
    int to_wide = wide || written_wide;
    if (!in_range(&source) || !in_range(&strings) || !in_order(starts, ends, edits, size))
        return OUT_OF_RANGE;
    for (int64_t i = 0; i < edits; i++)
        new_size += written_ends[i] - written_starts[i] - (ends[i] - starts[i]);
    if (new_size > room) return OUT_OF_RANGE;
    for (int64_t i = 0; i < edits; i++) {
        at = copy(&source, done, starts[i], to, to_wide, at);
        at = copy(&strings, written_starts[i], written_ends[i], to, to_wide, at);
        done = ends[i];
    }
    copy(&source, done, size, to, to_wide, at);
    /* A text starts behind the edits before it, and ends behind those up to its end. */
    for (int64_t i = 0; i < texts; i++) {
        for (; first < edits && starts[first] < text_starts[i]; first++)
            grown += written_ends[first] - written_starts[first] - (ends[first] - starts[first]);
        for (; last < edits && starts[last] <= text_ends[i]; last++)
            grown_last += written_ends[last] - written_starts[last] - (ends[last] - starts[last]);
        new_starts[i] = text_starts[i] + grown;
        new_ends[i] = text_ends[i] + grown_last;
    }
    return new_size;
}
