/* A step whose sites are known before there is a text: from bytes of Latin-1 to bytes. */
#pragma once
#include "substitution.h"

/* A step that replaces characters; planned.py writes it. */
typedef struct {
    const uint32_t *number, *first;
    const uint8_t *options;
    uint64_t stream;
    double share;
    int64_t count, fewest, most; /* count is -1 where the number of edits is a share */
    int64_t by_place, keeps_numbers;
    int64_t ranges; /* of characters that have alternatives; at most 128 */
    uint8_t lowest[128], highest[128];
} Plan;

/* What was done to a text. */
typedef struct {
    int64_t units, sites, wanted, edits;
} Done;

/* Memory for the work on one text: an entry for each of its characters. */
typedef struct {
    uint8_t *mask;
    uint32_t *places, *ranks;
} Workspace;

INLINE int64_t wanted_of(const Plan *plan, int64_t units, uint64_t key)
{
    int64_t wanted = plan->count;
    if (wanted < 0) {
        double exact = plan->share * (double)units;
        wanted = (int64_t)(exact + hash32(key, 0, COUNT) * 0x1p-32);
    }
    if (wanted < plan->fewest) wanted = plan->fewest;
    return wanted < plan->most ? wanted : plan->most;
}

INLINE uint8_t is_digit(uint8_t code) { return (uint8_t)(code - '0') < 10; }

/* Mark the characters that have alternatives. */
INLINE void mark(const uint8_t *text, int64_t size, const Plan *plan, uint8_t *mask)
{
    memset(mask, 0, (size_t)size);
    for (int64_t r = 0; r < plan->ranges; r++) {
        uint8_t lowest = plan->lowest[r], width = plan->highest[r] - lowest;
        for (int64_t i = 0; i < size; i++) mask[i] |= (uint8_t)(text[i] - lowest) <= width;
    }
}

/* Unmark digits, and every character between two of them. */
INLINE void unmark_numbers(const uint8_t *text, int64_t size, uint8_t *mask)
{
    for (int64_t i = 0; i < size; i++) mask[i] &= !is_digit(text[i]);
    for (int64_t i = 1; i < size - 1; i++)
        mask[i] &= !(is_digit(text[i - 1]) & is_digit(text[i + 1]));
}

/* Unmark the line ends of two code points, each of which is one character; how many they are. */
INLINE int64_t unmark_line_ends(const uint8_t *text, int64_t size, uint8_t *mask)
{
    int64_t pairs = 0;
    if (size < 2 || !memchr(text, '\r', (size_t)size)) return 0;
    for (int64_t i = 1; i < size; i++)
        if (text[i - 1] == '\r' && text[i] == '\n') {
            mask[i - 1] = mask[i] = 0;
            pairs++;
        }
    return pairs;
}

/* Perform a step on a text, whose bytes `after` has already; places are counted from `origin`. */
INLINE Done perform(const uint8_t *text, int64_t size, const Plan *plan, uint64_t key,
                    const Workspace *own, int64_t origin, int64_t *chosen, uint8_t *after,
                    uint8_t *written)
{
    int64_t count = 0;
    mark(text, size, plan, own->mask);
    if (plan->keeps_numbers) unmark_numbers(text, size, own->mask);
    int64_t characters = size - unmark_line_ends(text, size, own->mask);
    for (int64_t i = 0; i < size; i++) count += own->mask[i];
    key = mix64(key, plan->stream);
    Done done = {.units = plan->by_place ? count : characters, .sites = count};
    done.wanted = wanted_of(plan, done.units, key);
    int64_t take = done.wanted < count ? done.wanted : count;
    done.edits = choose_marks(own->mask, size, key, count, take, origin, own->places, own->ranks,
                              chosen);
    Alternatives table = {plan->number, plan->first, plan->options};
    substitute(after, origin, key, &table, chosen, done.edits, written);
    return done;
}
