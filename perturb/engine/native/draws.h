/* Draws for places of texts. */
#pragma once
#include "hashing.h"

/* Whether the counters of all texts are as many as there are. */
INLINE int are_counts(const int64_t *counts, int64_t texts, int64_t size)
{
    int64_t left = size;
    for (int64_t i = 0; i < texts; left -= counts[i++])
        if (counts[i] < 0 || counts[i] > left) return 0;
    return !left;
}

/* The low half of the key of a text, for counters from its origin on. */
INLINE uint32_t low_half(uint64_t key, int64_t origin, int lane)
{
    return (uint32_t)key + ((uint32_t)lane * LANE - (uint32_t)origin) * STRIDE;
}

/* Draw a number for each counter of each text; counters are from the origin of their text on. */
KERNEL(perturb_draws,
       (const uint64_t *keys, const int64_t *origins, const int64_t *counts, int64_t texts,
        const int64_t *counters, int64_t size, int lane, uint32_t *draws),
       (keys, origins, counts, texts, counters, size, lane, draws))
{
    if (!are_counts(counts, texts, size)) return OUT_OF_RANGE;
    for (int64_t i = 0, made = 0; i < texts; made += counts[i++]) {
        uint32_t low = low_half(keys[i], origins[i], lane), high = (uint32_t)(keys[i] >> 32);
        for (int64_t j = made; j < made + counts[i]; j++)
            draws[j] = mixed32((uint32_t)counters[j] * STRIDE + low, high);
    }
    return size;
}
