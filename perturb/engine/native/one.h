/* One text, from its bytes to its bytes. */
#pragma once
#include "substitution.h"

#define LONGEST 4096 /* what lies on the stack below is of this length */

/* A step that replaces characters; single.py writes it. */
typedef struct {
    const uint32_t *number, *first;
    const uint8_t *options;
    uint64_t stream;
    double share;
    int64_t count, fewest, most; /* count is -1 where the number of edits is a share */
    int64_t by_place, keeps_numbers;
} Plan;

/* What was done; behind it follow the places, the text after, and what was written. */
typedef struct {
    int64_t units, sites, wanted, edits;
} Done;

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

/* Unmark digits, and every character between two of them. */
INLINE void unmark_numbers(const uint8_t *text, int64_t size, uint8_t *mask)
{
    uint8_t digit[LONGEST];
    for (int64_t i = 0; i < size; i++) digit[i] = (uint8_t)(text[i] - '0') < 10;
    for (int64_t i = 0; i < size; i++) mask[i] &= !digit[i];
    for (int64_t i = 1; i < size - 1; i++) mask[i] &= !(digit[i - 1] & digit[i + 1]);
}

INLINE int64_t perturb_one(const uint8_t *text, int64_t size, const Plan *plan, uint64_t key,
                           int64_t *chosen, uint8_t *after, uint8_t *written, Done *done)
{
    uint8_t mask[LONGEST];
    uint32_t places[LONGEST], ranks[LONGEST];
    int64_t count = 0;
    if (memchr(text, '\r', (size_t)size)) return DECLINED;
    for (int64_t i = 0; i < size; i++) mask[i] = plan->number[text[i]] != 0;
    if (plan->keeps_numbers) unmark_numbers(text, size, mask);
    for (int64_t i = 0; i < size; i++) count += mask[i];
    key = mix64(key, plan->stream);
    done->sites = count;
    done->units = plan->by_place ? count : size;
    done->wanted = wanted_of(plan, done->units, key);
    int64_t take = done->wanted < count ? done->wanted : count;
    done->edits = choose_marks(mask, size, key, count, take, 0, places, ranks, chosen);
    memcpy(after, text, (size_t)size);
    Alternatives table = {plan->number, plan->first, plan->options};
    substitute(after, 0, key, &table, chosen, done->edits, written);
    return done->edits;
}
