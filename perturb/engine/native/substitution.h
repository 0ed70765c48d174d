/* A whole step: characters of a set are replaced by one of their alternatives. */
#pragma once
#include "selection.h"

/* For each Latin-1 character how many alternatives it has, and where they start in `options`. */
typedef struct {
    uint32_t number[256], first[256];
    uint8_t member[256];
    uint8_t options[];
} Alternatives;

/* How many edits a text is to have. */
typedef struct {
    double share;
    int64_t count, fewest, most; /* count is -1 where it is a share */
} Amount;

INLINE int64_t wanted_of(const Amount *amount, int64_t units, uint64_t key)
{
    int64_t wanted = amount->count;
    if (wanted < 0) wanted = (int64_t)(amount->share * (double)units + hash32(key, 0, COUNT) * 0x1p-32);
    if (wanted < amount->fewest) wanted = amount->fewest;
    return wanted < amount->most ? wanted : amount->most;
}

/* Make up to `wanted` edits in one text, in place; how many it was. `mask` has room for the text. */
INLINE int64_t substitute(uint8_t *text, int64_t length, const uint8_t *closed, int64_t wanted,
                          uint64_t key, const Alternatives *table, uint32_t lane, uint8_t *mask,
                          uint32_t *places, uint32_t *ranks, int64_t origin, int64_t *sites,
                          int64_t *chosen, uint8_t *written)
{
    int64_t count = 0;
    for (int64_t i = 0; i < length; i++) mask[i] = table->member[text[i]];
    if (closed) for (int64_t i = 0; i < length; i++) mask[i] &= (uint8_t)!closed[i];
    for (int64_t i = 0; i < length; i++) count += mask[i];
    int64_t take = wanted < count ? wanted : count;
    int64_t made = choose_marks(mask, length, key, count, take, origin, places, ranks, chosen);
    for (int64_t i = 0; i < made; i++) {
        uint8_t *character = text + (chosen[i] - origin);
        uint64_t drawn = hash32(key, (uint32_t)(chosen[i] - origin), FIRST_WRITE + lane);
        uint64_t option = drawn * table->number[*character] >> 32;
        written[i] = *character = table->options[table->first[*character] + option];
    }
    *sites = count;
    return made;
}
