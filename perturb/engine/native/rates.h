/* The rates at which sites are hit: by what stands there, the text, and the stretch of the text. */
#pragma once
#include "draws.h"

/* Sites are spans of up to two characters. Their kinds are looked up by one character, that behind
   an empty site too, or by two; a negative one is none. */
typedef struct {
    const int16_t *kinds;       /* of each character */
    const int16_t *pairs;       /* of each two, the first times 256 and the second */
    const double *rates;        /* of each kind */
    const int32_t *numbers;     /* of each kind: what its rate in a text is drawn for */
    int64_t number_of_kinds;
    double empty;               /* the rate of empty sites */
    double width, least;        /* of what a rate is multiplied with in a text */
    double rare;                /* what it is multiplied with in most stretches */
    int64_t stretch, often;     /* the length of stretches, and the limit of draws for the others */
    int64_t text_lane, stretch_lane, lane;
} Rates;

#define SITES_AT_ONCE 256

/* The kind of a site; -1 for none. */
INLINE int32_t kind_at(const Rates *given, const uint8_t *codes, int64_t start, int64_t end)
{
    if (end - start < 2) return given->kinds[codes[start]];
    return given->pairs[codes[start] << 8 | codes[start + 1]];
}

/* Write for each site its rate, and a draw in [0, 1), both with the opposite sign. */
INLINE int64_t perturb_rates_body(const uint8_t *codes, int64_t size, const int64_t *starts,
                                  const int64_t *ends, int64_t sites, const uint64_t *keys,
                                  const int64_t *origins, const int64_t *counts, int64_t texts,
                                  const Rates *rates, double *made, double *drawn)
{
    const Rates given = *rates;
    uint32_t numbers[SITES_AT_ONCE];
    if (!are_counts(counts, texts, sites) || given.stretch < 1) return OUT_OF_RANGE;
    for (int64_t text = 0, first = 0; text < texts; first += counts[text++]) {
        uint32_t high = (uint32_t)(keys[text] >> 32);
        uint32_t in_text = low_half(keys[text], 0, (int)given.text_lane);
        uint32_t in_stretch = low_half(keys[text], 0, (int)given.stretch_lane);
        uint32_t low = low_half(keys[text], origins[text], (int)given.lane);
        int64_t next = origins[text], number = -1;
        double factor = 1;
        for (int64_t from = first; from < first + counts[text]; from += SITES_AT_ONCE) {
            int64_t left = first + counts[text] - from;
            int64_t count = left < SITES_AT_ONCE ? left : SITES_AT_ONCE;
            for (int64_t i = 0; i < count; i++) {
                int64_t start = starts[from + i], end = ends[from + i];
                if (start < origins[text] || end < start || end > start + 2 || end > size ||
                    start >= size)
                    return OUT_OF_RANGE;
                int32_t kind = kind_at(&given, codes, start, end);
                if (kind < 0 || kind >= given.number_of_kinds) return OUT_OF_RANGE;
                numbers[i] = (uint32_t)given.numbers[kind];
                made[from + i] = start == end ? given.empty : given.rates[kind];
            }
            for (int64_t i = 0; i < count; i++) {
                uint32_t own = mixed32(numbers[i] * STRIDE + in_text, high);
                uint32_t draw = mixed32((uint32_t)starts[from + i] * STRIDE + low, high);
                made[from + i] *= (double)own * 0x1p-32 * given.width + given.least;
                drawn[from + i] = -((double)draw * 0x1p-32);
            }
            for (int64_t i = 0; i < count; i++) {
                if (starts[from + i] >= next) {
                    int64_t ahead = (starts[from + i] - next) / given.stretch + 1;
                    number += ahead;
                    next += ahead * given.stretch;
                    uint32_t draw = mixed32((uint32_t)number * STRIDE + in_stretch, high);
                    factor = (int64_t)draw < given.often ? -1 : -given.rare;
                }
                made[from + i] *= factor;
            }
        }
    }
    return sites;
}

KERNEL(perturb_rates,
       (const uint8_t *codes, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t sites, const uint64_t *keys, const int64_t *origins, const int64_t *counts,
        int64_t texts, const Rates *rates, double *made, double *drawn),
       (codes, size, starts, ends, sites, keys, origins, counts, texts, rates, made, drawn))
