/* What stands around each word, and what it seems to be; and its tag. */
#pragma once
#include "words.h"

/* What the rules on neighbours ask of a kind of word, as perturb/engine/native/contexts.py has it. */
enum { LOOKED_THROUGH = 1, POLITE = 2, MODAL = 4, FINITE = 8, OPENS_CLAUSE = 16, NOT_FINITE = 32 };
enum { TAKES_PARTICIPLE = 64, TAKES_BASE = 128, ONE = 256, LEADS_NOUN = 512, AFTER_ROLES = 10 };

/* Parts of speech by the columns of the scores, and kinds that a word has by its form. */
enum { NOUN, VERB, ADJECTIVE, ADVERB, NAME, NOBODY = -1 };
enum { NOTHING, NUMBER, POSSESSOR };
/* What the word before seems to be; a noun's side is that of its possible tags, the others follow. */
enum { SIDE_OF_ONE = 1, SIDE_OF_NAME = 7, SIDE_OF_NOBODY = 8 };
#define MASKS 128 /* sets of tags that a word may have: two bits for nouns, five for verbs */
#define GERUND 16
#define BLOCK_OF_WORDS 512
#define SIEVING 0x9E3779B97F4A7C15u /* the highest bits of a pair times this are its place there */
#define SIEVE_SHIFT 44

/* The facts of each surface, the last for words that are none; the roles of each kind; and the
   factors of the rules, four for each kind of neighbour and mask of the word. */
typedef struct {
    const uint8_t *kinds, *masks, *names;
    const float *scores;
    const uint16_t *roles;
    const float *before, *governor, *after;
    int64_t surfaces, number_of_kinds;
} Facts;

/* What the rules on what neighbours seem to be are tables of, as `Known` in
   perturb/lexicon/tagger_tables.py has them; the possible tags of each surface by its four parts of
   speech; and two-word entries, as pairs of surfaces, with a sieve that holds back most others. */
typedef struct {
    const float *left, *right;
    const int8_t *nouns, *verbs;
    const uint8_t *possible, *sieve;
    const uint64_t *collocations;
    int64_t pairs;
} Tables;

typedef struct {
    uint8_t *masks, *kinds, *before, *governor, *after, *first, *names;
    int8_t *seems;
    uint8_t *asked, *verbed;
} Around;

typedef float Scores __attribute__((vector_size(16)));
#define MARGIN 1.5f /* as in perturb/lexicon/tagger.py */

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

/* How likely a word is as each part of speech, with the rules on one neighbour. */
INLINE Scores first_scores(const Facts *facts, const Around *to, int64_t surface, int64_t word)
{
    int64_t mask = to->masks[word], before = to->before[word], governor = to->governor[word];
    Scores scores = scores_at(facts->scores, surface);
    scores *= scores_at(facts->before, before * MASKS + mask);
    if (governor != before) scores *= scores_at(facts->governor, governor * MASKS + mask);
    int64_t row = to->first[word] * facts->number_of_kinds + to->after[word];
    return scores * scores_at(facts->after, row * MASKS + mask);
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
            to.seems[word] = highest(first_scores(&facts, &to, surfaces[word], word));
        }
    }
    uint8_t finite = 0, modal = 0;
    for (int64_t i = 0; i < words; i++) {
        uint16_t role = facts.roles[to.kinds[i]], governing = facts.roles[to.governor[i]];
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

/* Whether two words are an entry of their own, such as "ice cream". */
INLINE int are_one(const Tables *tables, int64_t first, int64_t second)
{
    if (first < 0 || second < 0) return 0;
    uint64_t pair = (uint64_t)first << 32 | (uint64_t)second, bit = pair * SIEVING >> SIEVE_SHIFT;
    if (!(tables->sieve[bit >> 3] >> (bit & 7) & 1)) return 0;
    int64_t low = 0, high = tables->pairs;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (tables->collocations[middle] < pair) low = middle + 1;
        else high = middle;
    }
    return low < tables->pairs && tables->collocations[low] == pair;
}

/* The column of the form of a word among those of its part of speech; -1 where that is open. */
INLINE int column_of(const Tables *tables, const Facts *facts, const Around *to, int64_t surface,
                     int64_t word, int part, int side)
{
    int mask = to->masks[word], before = to->before[word];
    if (part == NOUN) return tables->nouns[before * 4 + (mask & 3)];
    if (part == VERB) {
        uint16_t governing = facts->roles[to->governor[word]];
        int participle = !!(governing & TAKES_PARTICIPLE) | !!(facts->roles[before] & LEADS_NOUN);
        int alone = !!(governing & ONE) | side == SIDE_OF_ONE | side == SIDE_OF_NAME;
        int row = to->asked[word] << 4 | to->first[word] << 3 | alone << 2;
        row |= !!(governing & TAKES_BASE) << 1 | participle;
        return tables->verbs[row << 5 | mask >> 2];
    }
    int possible = tables->possible[4 * surface + part];
    return possible ? __builtin_ctz((unsigned)possible) : -1;
}

/* Write the tags of words, 0 for what is to be left alone; only of those that are wanted, if that
   is said. What stands around the words comes from the kernel above. */
INLINE int64_t perturb_tags_body(const int32_t *surfaces, const uint8_t *shapes,
                                 const uint8_t *apart, const uint8_t *wanted, int64_t words,
                                 const Facts *given, const Around *around, const Tables *tables,
                                 uint8_t *tags)
{
    static const uint8_t first_tags[4] = {1, 3, 8, 11};
    const Facts facts = *given;
    const Around to = *around;
    for (int64_t i = 0; i < words; i++)
        if (surfaces[i] < -1 || surfaces[i] >= facts.surfaces) return OUT_OF_RANGE;
    for (int64_t i = 0; i < words; i++) {
        int64_t surface = surfaces[i];
        tags[i] = 0;
        if (surface < 0 || to.kinds[i] != NOTHING || to.names[i] || shapes[i] == MIXED) continue;
        if (wanted && !wanted[i]) continue;
        int64_t next = i + 1 < words ? i + 1 : 0, last = i ? i - 1 : words - 1;
        if (shapes[i] == UPPER && shapes[last] != UPPER && shapes[next] != UPPER) continue;
        if (!apart[i] && are_one(tables, surfaces[last], surface)) continue;
        if (!apart[next] && are_one(tables, surface, surfaces[next])) continue;
        int left = apart[i] ? NOBODY : to.seems[last], before = to.before[i];
        int noun_after = !apart[next] && to.seems[next] == NOUN;
        int side = left == NOBODY ? SIDE_OF_NOBODY : left == NOUN ? to.masks[last] & 3 : left + 3;
        int64_t row = (side * 4 + (facts.roles[to.after[i]] >> AFTER_ROLES)) * 2 + to.verbed[i];
        Scores scores = first_scores(&facts, &to, surface, i);
        scores *= scores_at(tables->left, row * MASKS + to.masks[i]);
        scores *= scores_at(tables->right, (before * 2 + noun_after) * 2 + (left == VERB));
        int part = highest(scores);
        float best = scores[part], second = 0;
        for (int other = 0; other < 4; other++)
            if (other != part && scores[other] > second) second = scores[other];
        if (!(best > 0 && best >= MARGIN * second)) continue;
        int column = column_of(tables, &facts, &to, surface, i, part, side);
        if (column >= 0) tags[i] = (uint8_t)(first_tags[part] + column);
    }
    return words;
}

KERNEL(perturb_contexts,
       (const int32_t *surfaces, const uint8_t *shapes, const uint8_t *first, const uint8_t *apart,
        int64_t words, const Facts *given, const Around *room),
       (surfaces, shapes, first, apart, words, given, room))
KERNEL(perturb_tags,
       (const int32_t *surfaces, const uint8_t *shapes, const uint8_t *apart, const uint8_t *wanted,
        int64_t words, const Facts *given, const Around *around, const Tables *tables,
        uint8_t *tags),
       (surfaces, shapes, apart, wanted, words, given, around, tables, tags))
