/* A step whose sites are known before there is a text: from bytes of Latin-1 to bytes. */
#pragma once
#include "substitution.h"

/* As in spread.py. */
#define RATE (FIRST_WRITE + 33)
#define RATE_BITS 12

/* A step that replaces characters; planned.py writes it. */
typedef struct {
    const uint32_t *number, *first;
    const uint8_t *options;
    const double *rates; /* of texts, one for each of the upper bits of a draw; or NULL */
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

/* Memory for the work on one text: two words for 64 characters, and for each character a place and
   a rank, and room behind these. */
typedef struct {
    uint64_t *marks, *digits;
    uint32_t *places, *ranks;
} Workspace;

INLINE int64_t wanted_of(const Plan *plan, int64_t units, uint64_t key)
{
    int64_t wanted = plan->count;
    if (wanted < 0) {
        double share = plan->share;
        if (plan->rates) share = plan->rates[hash32(key, 0, RATE) >> (32 - RATE_BITS)];
        double exact = share * (double)units;
        wanted = (int64_t)(exact + hash32(key, 0, COUNT) * 0x1p-32);
    }
    if (wanted < plan->fewest) wanted = plan->fewest;
    return wanted < plan->most ? wanted : plan->most;
}

/* Mark the characters that have alternatives, and digits. */
INLINE void mark(const uint8_t *text, int64_t size, const Plan *plan, uint64_t *marks,
                 uint64_t *digits)
{
    for (int64_t at = 0; at < size; at += WORD) {
        uint8_t rest[WORD] = {0}; /* a character that is never replaced */
        const uint8_t *here = text + at;
        if (size - at < WORD) here = memcpy(rest, here, (size_t)(size - at));
        marks[at / WORD] = in_ranges(here, plan->lowest, plan->highest, plan->ranges);
        digits[at / WORD] = in_ranges(here, (const uint8_t *)"0", (const uint8_t *)"9", 1);
    }
}

/* Unmark digits, and every character between two of them. */
INLINE void unmark_numbers(const uint64_t *digits, int64_t words, uint64_t *marks)
{
    uint64_t before = 0;
    for (int64_t i = 0; i < words; i++) {
        uint64_t here = digits[i], after = i + 1 < words ? digits[i + 1] : 0;
        marks[i] &= ~(here | ((here << 1 | before >> 63) & (here >> 1 | after << 63)));
        before = here;
    }
}

/* Unmark the line ends of two code points, each of which is one character; how many they are. */
INLINE int64_t unmark_line_ends(const uint8_t *text, int64_t size, uint64_t *marks)
{
    int64_t pairs = 0;
    if (size < 2 || !memchr(text, '\r', (size_t)size)) return 0;
    for (int64_t i = 1; i < size; i++)
        if (text[i - 1] == '\r' && text[i] == '\n') {
            marks[(i - 1) / WORD] &= ~((uint64_t)1 << (i - 1) % WORD);
            marks[i / WORD] &= ~((uint64_t)1 << i % WORD);
            pairs++;
        }
    return pairs;
}

/* Perform a step on a text, whose bytes `after` has already; places are counted from `origin`, and
   `closed` characters are no units. */
INLINE Done perform(const uint8_t *text, int64_t size, int64_t closed, const Plan *plan, uint64_t key,
                    const Workspace *own, int64_t origin, int64_t *chosen, uint8_t *after,
                    uint8_t *written)
{
    int64_t count = 0;
    mark(text, size, plan, own->marks, own->digits);
    if (plan->keeps_numbers) unmark_numbers(own->digits, WORDS(size), own->marks);
    int64_t characters = size - unmark_line_ends(text, size, own->marks);
    for (int64_t i = 0; i < WORDS(size); i++) count += __builtin_popcountll(own->marks[i]);
    key = mix64(key, plan->stream);
    Done done = {.units = plan->by_place ? count : characters - closed, .sites = count};
    done.wanted = wanted_of(plan, done.units, key);
    int64_t take = done.wanted < count ? done.wanted : count;
    done.edits = choose_marks(own->marks, size, key, count, take, own->places, own->ranks);
    Alternatives table = {plan->number, plan->first, plan->options};
    substitute(after, origin, key, &table, own->places, done.edits, chosen, written);
    return done;
}
