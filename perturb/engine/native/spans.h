/* Spans of characters, found by tables. */
#pragma once
#include "platform.h"

/* Mark the characters that make a pair of the table with the next; it has a bit for each pair, the
   first times 256 and the second. */
INLINE int64_t perturb_find_pairs_body(const uint8_t *codes, int64_t size, const uint8_t *pairs,
                                       uint8_t *marks)
{
    int64_t made = 0;
    if (size < 0) return OUT_OF_RANGE;
    if (size) marks[size - 1] = 0;
    for (int64_t i = 0; i < size - 1; i++) {
        unsigned pair = (unsigned)codes[i] << 8 | codes[i + 1];
        made += marks[i] = pairs[pair >> 3] >> (pair & 7) & 1;
    }
    return made;
}

/* List the spans that begin where a length is not negative. */
INLINE int64_t perturb_spans_body(const int8_t *lengths, int64_t size, int64_t *starts,
                                  int64_t *ends)
{
    int64_t made = 0;
    if (size < 0) return OUT_OF_RANGE;
    for (int64_t i = 0; i < size; i++) {
        starts[made] = i;
        ends[made] = i + lengths[i];
        made += lengths[i] >= 0;
    }
    return made;
}

KERNEL(perturb_find_pairs,
       (const uint8_t *codes, int64_t size, const uint8_t *pairs, uint8_t *marks),
       (codes, size, pairs, marks))
KERNEL(perturb_spans, (const int8_t *lengths, int64_t size, int64_t *starts, int64_t *ends),
       (lengths, size, starts, ends))
