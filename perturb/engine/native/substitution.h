/* Marked characters are replaced by one of their alternatives: choice, writing and copy in one. */
#pragma once
#include "selection.h"

/* For each character of Latin-1 how many alternatives it has, and where they start. */
typedef struct {
    const uint32_t *number, *first;
    const uint8_t *options;
} Alternatives;

/* Write alternatives in place of the chosen characters of one text. */
INLINE void substitute(uint8_t *text, int64_t origin, uint64_t key, const Alternatives *table,
                       const int64_t *chosen, int64_t made, uint8_t *written)
{
    for (int64_t i = 0; i < made; i++) {
        int64_t place = chosen[i] - origin;
        uint8_t code = text[place];
        uint64_t drawn = hash32(key, (uint32_t)place, FIRST_WRITE);
        written[i] = text[place] = table->options[table->first[code] + (drawn * table->number[code] >> 32)];
    }
}
