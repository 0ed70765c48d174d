/* Draws for places of texts. */
#pragma once
#include "hashing.h"

/* Draw a number for each counter of each text; counters are from the origin of their text on. */
INLINE int64_t perturb_draws_body(const uint64_t *keys, const int64_t *origins,
                                  const int64_t *counts, int64_t texts, const int64_t *counters,
                                  int64_t size, int lane, uint32_t *draws)
{
    int64_t made = 0;
    for (int64_t i = 0; i < texts; i++) {
        uint32_t high = (uint32_t)(keys[i] >> 32);
        uint32_t low = (uint32_t)keys[i] + ((uint32_t)lane * LANE - (uint32_t)origins[i]) * STRIDE;
        if (counts[i] < 0 || counts[i] > size - made) return OUT_OF_RANGE;
        for (int64_t j = made; j < made + counts[i]; j++)
            draws[j] = mixed32((uint32_t)counters[j] * STRIDE + low, high);
        made += counts[i];
    }
    return made == size ? made : OUT_OF_RANGE;
}

KERNEL(perturb_draws,
       (const uint64_t *keys, const int64_t *origins, const int64_t *counts, int64_t texts,
        const int64_t *counters, int64_t size, int lane, uint32_t *draws),
       (keys, origins, counts, texts, counters, size, lane, draws))
