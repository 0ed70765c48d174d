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

INLINE int in_range(const Column *column)
{
    for (int64_t i = 0; i < column->count; i++)
        if (column->starts[i] < 0 || column->ends[i] < column->starts[i] ||
            column->ends[i] > column->size)
            return 0;
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

/* Copy code points, of one or four bytes, into an array of four bytes each if `to_wide`. */
INLINE void copy(const void *from, int wide, int64_t start, int64_t end, void *to, int to_wide,
                 int64_t at)
{
    int64_t size = end - start;
    if (wide) {
        uint32_t *target = (uint32_t *)to + at;
        const uint32_t *source = (const uint32_t *)from + start;
        for (int64_t i = 0; i < size; i++) target[i] = source[i];
    } else if (to_wide) {
        uint32_t *target = (uint32_t *)to + at;
        const uint8_t *source = (const uint8_t *)from + start;
        for (int64_t i = 0; i < size; i++) target[i] = source[i];
    } else if (size) {
        memcpy((uint8_t *)to + at, (const uint8_t *)from + start, (size_t)size);
    }
}

/* Write texts after edits into `to`, and where each now starts and ends; the size of all. */
INLINE int64_t apply(const Column *source, const int64_t *starts, const int64_t *ends,
                     const Column *written, void *to, int64_t room, int64_t *new_starts,
                     int64_t *new_ends)
{
    int64_t at = 0, done = 0, first = 0, last = 0, grown = 0, grown_last = 0;
    int wide = source->wide || written->wide;
    int64_t n = written->count;
    if (!in_range(source) || !in_range(written) || !in_order(starts, ends, n, source->size))
        return OUT_OF_RANGE;
    int64_t size = source->size;
    for (int64_t i = 0; i < n; i++)
        size += written->ends[i] - written->starts[i] - (ends[i] - starts[i]);
    if (size > room) return OUT_OF_RANGE;
    for (int64_t i = 0; i < n; i++) {
        copy(source->codes, source->wide, done, starts[i], to, wide, at);
        at += starts[i] - done;
        copy(written->codes, written->wide, written->starts[i], written->ends[i], to, wide, at);
        at += written->ends[i] - written->starts[i];
        done = ends[i];
    }
    copy(source->codes, source->wide, done, source->size, to, wide, at);
    /* A text starts behind the edits before it, and ends behind those up to its end. */
    for (int64_t i = 0; i < source->count; i++) {
        for (; first < n && starts[first] < source->starts[i]; first++)
            grown += written->ends[first] - written->starts[first] - (ends[first] - starts[first]);
        for (; last < n && starts[last] <= source->ends[i]; last++)
            grown_last += written->ends[last] - written->starts[last] - (ends[last] - starts[last]);
        new_starts[i] = source->starts[i] + grown;
        new_ends[i] = source->ends[i] + grown_last;
    }
    return size;
}
