/* Marked characters are replaced by one of their alternatives: choice, writing and copy in one. */
#pragma once
#include "selection.h"

/* For each character of Latin-1 how many alternatives it has, and where they start. */
typedef struct {
    const uint32_t *number, *first;
    const uint8_t *options;
} Alternatives;

#define DRAWS 16 /* so many numbers are drawn at once, for places or what lies behind them */

/* Write alternatives in place of the chosen characters of one text; places are counted from
   `origin` in `chosen`. */
INLINE void substitute(uint8_t *text, int64_t origin, uint64_t key, const Alternatives *table,
                       const uint32_t *places, int64_t made, int64_t *chosen, uint8_t *written)
{
    uint32_t drawn[DRAWS];
    for (int64_t i = 0; i < made; i++) {
        if (i % DRAWS == 0)
            for (int j = 0; j < DRAWS; j++) drawn[j] = hash32(key, places[i + j], FIRST_WRITE);
        uint8_t code = text[places[i]];
        uint64_t option = (uint64_t)drawn[i % DRAWS] * table->number[code] >> 32;
        written[i] = text[places[i]] = table->options[table->first[code] + option];
        chosen[i] = origin + places[i];
    }
}
