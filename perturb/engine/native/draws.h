/* Draws for places of texts. */
#pragma once
#include "hashing.h"

/* The low half of the key of a text, for counters from its origin on. */
INLINE uint32_t low_half(uint64_t key, int64_t origin, int lane)
{
    return (uint32_t)key + ((uint32_t)lane * LANE - (uint32_t)origin) * STRIDE;
}

/* Draw a number for each of the increasing places, of which each text has those between its edges. */
KERNEL(perturb_draws,
       (const uint64_t *keys, const int64_t *edges, int64_t texts, const int64_t *places,
        int64_t size, int lane, uint32_t *draws),
       (keys, edges, texts, places, size, lane, draws))
{
    int64_t made = 0;
    for (int64_t i = 0, end = 0; i < texts; i++) {
        uint32_t low = low_half(keys[i], edges[i], lane), high = (uint32_t)(keys[i] >> 32);
        /* Where every character is a place, that tells how many they are. */
        int64_t most = size;
        if (edges[i + 1] < edges[i] || (made < size && places[made] < edges[i])) return OUT_OF_RANGE;
        if (made < size) most = (int64_t)((uint64_t)made + (uint64_t)edges[i + 1] - (uint64_t)places[made]);
        if (most > end && most <= size && places[most - 1] < edges[i + 1]) end = most;
        while (end < size && places[end] < edges[i + 1]) end++;
        for (; made < end; made++) draws[made] = mixed32((uint32_t)places[made] * STRIDE + low, high);
    }
    return made < size ? OUT_OF_RANGE : size;
}
