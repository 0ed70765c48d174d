/* What stands around each word, and what it seems to be: the first half of a tagger. */
#pragma once
#include "words.h"

/* What the rules on neighbours ask of a kind of word, as perturb/engine/native/contexts.py has it. */
enum { LOOKED_THROUGH = 1, POLITE = 2, MODAL = 4, FINITE = 8, OPENS_CLAUSE = 16, NOT_FINITE = 32 };

/* Parts of speech by the columns of the scores, and kinds that a word has by its form. */
enum { NOUN, VERB, ADJECTIVE, ADVERB, NAME, NOBODY = -1 };
enum { NOTHING, NUMBER, POSSESSOR };
#define MASKS 128 /* sets of tags that a word may have: two bits for nouns, five for verbs */
#define GERUND 16
#define BLOCK_OF_WORDS 512

/* The facts of each surface, the last for words that are none; the roles of each kind; and the
   factors of the rules, four for each kind of neighbour and mask of the word. */
typedef struct {
    const uint8_t *kinds, *masks, *names;
    const float *scores;
    const uint8_t *roles;
    const float *before, *governor, *after;
    int64_t surfaces, number_of_kinds;
} Facts;

typedef struct {
    uint8_t *masks, *kinds, *before, *governor, *after, *first, *names;
    int8_t *seems;
    uint8_t *asked, *verbed;
} Around;

typedef float Scores __attribute__((vector_size(16)));

INLINE Scores scores_at(const float *table, int64_t row)
{
    Scores scores;
    memcpy(&scores, table + 4 * row, sizeof scores);
    return scores;
}

/* The column of the highest score, the first of equals; without branches, which none foresees. */
INLINE int8_t highest(Scores scores)
{
    int one = scores[1] > scores[0], other = scores[3] > scores[2];
    float upper = one ? scores[1] : scores[0], lower = other ? scores[3] : scores[2];
    int later = lower > upper;
    return (int8_t)(later * (2 + other) + !later * one);
}

INLINE int64_t perturb_contexts_body(const int32_t *surfaces, const uint8_t *shapes,
                                     const uint8_t *first, const uint8_t *apart, int64_t words,
                                     const Facts *given, const Around *room)
{
    const Facts facts = *given; /* what is written to bytes may be anything else */
    const Around to = *room;
    int64_t unknown = facts.surfaces, kinds = facts.number_of_kinds;
    if (kinds <= POSSESSOR || kinds > 256) return OUT_OF_RANGE;
    for (int64_t i = 0; i < words; i++) {
        if (surfaces[i] < -1 || surfaces[i] >= unknown) return OUT_OF_RANGE;
        int64_t row = surfaces[i] < 0 ? unknown : surfaces[i];
        uint8_t kind = facts.kinds[row];
        __builtin_prefetch(facts.scores + 4 * row);
        if (shapes[i] == DIGITS) kind = NUMBER;
        if (shapes[i] == POSSESSIVE) kind = POSSESSOR;
        to.kinds[i] = kind;
        to.masks[i] = facts.masks[row];
        if (kind >= kinds || facts.masks[row] >= MASKS) return OUT_OF_RANGE;
        int beside = i && !apart[i];
        uint8_t before = beside ? to.kinds[i - 1] : NOTHING;
        uint8_t governor = before;
        if (facts.roles[before] & LOOKED_THROUGH) governor = beside ? to.before[i - 1] : NOTHING;
        to.before[i] = before;
        to.governor[i] = governor;
        to.first[i] = !!first[i] | !!(facts.roles[before] & POLITE);
        int capital = (shapes[i] == TITLE) | (shapes[i] == MIXED);
        int named = facts.names[row] | (surfaces[i] < 0) | !first[i];
        to.names[i] = capital & named & (kind == NOTHING);
    }
    for (int64_t i = 0; i < words; i++)
        to.after[i] = i + 1 < words && !apart[i + 1] ? to.kinds[i + 1] : NOTHING;
    uint16_t meant[BLOCK_OF_WORDS];
    for (int64_t from = 0; from < words; from += BLOCK_OF_WORDS) {
        int64_t count = words - from < BLOCK_OF_WORDS ? words - from : BLOCK_OF_WORDS, made = 0;
        for (int64_t i = 0; i < count; i++) {
            int64_t word = from + i;
            to.seems[word] = to.names[word] ? NAME : NOBODY;
            meant[made] = (uint16_t)i;
            made += surfaces[word] >= 0 && to.kinds[word] == NOTHING && !to.names[word];
        }
        for (int64_t i = 0; i < made; i++) {
            int64_t word = from + meant[i];
            int64_t mask = to.masks[word], before = to.before[word], governor = to.governor[word];
            Scores scores = scores_at(facts.scores, surfaces[word]);
            scores *= scores_at(facts.before, before * MASKS + mask);
            if (governor != before) scores *= scores_at(facts.governor, governor * MASKS + mask);
            scores *= scores_at(facts.after, (to.first[word] * kinds + to.after[word]) * MASKS + mask);
            to.seems[word] = highest(scores);
        }
    }
    uint8_t finite = 0, modal = 0;
    for (int64_t i = 0; i < words; i++) {
        uint8_t role = facts.roles[to.kinds[i]], governing = facts.roles[to.governor[i]];
        uint8_t verb = to.seems[i] == VERB && to.masks[i] >> 2 != GERUND && !(governing & NOT_FINITE);
        modal &= !first[i];
        finite &= !(apart[i] | (role & OPENS_CLAUSE));
        to.asked[i] = modal;
        to.verbed[i] = finite;
        modal |= !!(role & MODAL);
        finite |= (role & FINITE) || verb;
    }
    return words;
}

KERNEL(perturb_contexts,
       (const int32_t *surfaces, const uint8_t *shapes, const uint8_t *first, const uint8_t *apart,
        int64_t words, const Facts *given, const Around *room),
       (surfaces, shapes, first, apart, words, given, room))
