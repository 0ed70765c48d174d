/* The tag of each word, by what stands around it and what it seems to be. */
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
#define SIEVING 0x9E3779B97F4A7C15u /* the highest bits of a pair times this are its place there */
#define SIEVE_SHIFT 44
#define PAIR_BITS 5 /* of the first word of a pair; the others choose where the search begins */

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
   speech; and two-word entries, as pairs of surfaces, with a sieve that holds back most others and
   the place of the first for all that have the same highest bits. */
typedef struct {
    const float *left, *right;
    const int8_t *nouns, *verbs;
    const uint8_t *possible, *sieve;
    const uint64_t *collocations;
    const int32_t *edges;
} Tables;

/* What stands around each word, as `Around` in perturb/lexicon/tagger.py has it. */
typedef struct {
    uint8_t *masks, *kinds, *before, *governor, *after, *first, *asked, *verbed;
    int8_t *seems;
} Around;
#define COLUMNS_AROUND 9

typedef float Scores __attribute__((vector_size(16)));
#define MARGIN 1.5f /* as in perturb/lexicon/tagger.py */

INLINE Scores scores_at(const float *table, int64_t row)
{
    Scores scores;
    memcpy(&scores, table + 4 * row, sizeof scores);
    return scores;
}

/* The column of the highest score, the first of equals, that score and the next; without branches,
   which none foresees. */
INLINE int8_t ranked(Scores scores, float *best, float *next)
{
    int one = scores[1] > scores[0], other = scores[3] > scores[2];
    float upper = one ? scores[1] : scores[0], lower = one ? scores[0] : scores[1];
    float upper_other = other ? scores[3] : scores[2], lower_other = other ? scores[2] : scores[3];
    int later = upper_other > upper;
    float rest = later ? lower_other : lower, beaten = later ? upper : upper_other;
    *best = later ? upper_other : upper;
    *next = rest > beaten ? rest : beaten;
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

/* Whether two words are an entry of their own, such as "ice cream". */
INLINE int are_one(const Tables *tables, int64_t first, int64_t second)
{
    if (first < 0 || second < 0) return 0;
    uint64_t pair = (uint64_t)first << 32 | (uint64_t)second, bit = pair * SIEVING >> SIEVE_SHIFT;
    if (!(tables->sieve[bit >> 3] >> (bit & 7) & 1)) return 0;
    const int32_t *edges = tables->edges + (first >> PAIR_BITS);
    const uint64_t *from = tables->collocations + edges[0];
    int64_t left = edges[1] - edges[0];
    for (int64_t half; left > 1; left -= half) { /* without a branch, which none foresees */
        half = left / 2;
        from += half & -(int64_t)(from[half - 1] < pair);
    }
    return left && *from == pair;
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
        int alone = !!(governing & ONE) | (side == SIDE_OF_ONE) | (side == SIDE_OF_NAME);
        int row = to->asked[word] << 4 | to->first[word] << 3 | alone << 2;
        row |= !!(governing & TAKES_BASE) << 1 | participle;
        return tables->verbs[row << 5 | mask >> 2];
    }
    int possible = tables->possible[4 * surface + part];
    return possible ? __builtin_ctz((unsigned)possible) : -1;
}

typedef struct {
    const int32_t *surfaces;
    const uint8_t *shapes, *first, *apart;
    int64_t count;
} Sequence;

/* Write what is known of words before any has a part of speech; whether it lies in the tables. */
INLINE int look_around(const Sequence *words, const Facts *facts, const Around *to)
{
    int64_t unknown = facts->surfaces;
    for (int64_t i = 0; i < words->count; i++) {
        int32_t surface = words->surfaces[i];
        if (surface < -1 || surface >= unknown) return 0;
        int64_t row = surface < 0 ? unknown : surface;
        uint8_t kind = facts->kinds[row], shape = words->shapes[i], mask = facts->masks[row];
        __builtin_prefetch(facts->scores + 4 * row);
        if (shape == DIGITS) kind = NUMBER;
        if (shape == POSSESSIVE) kind = POSSESSOR;
        if (kind >= facts->number_of_kinds || mask >= MASKS) return 0;
        int beside = i && !words->apart[i];
        uint8_t before = beside ? to->kinds[i - 1] : NOTHING, governor = before;
        uint16_t role = facts->roles[before];
        if (role & LOOKED_THROUGH) governor = beside ? to->before[i - 1] : NOTHING;
        to->kinds[i] = kind;
        to->masks[i] = mask;
        to->before[i] = before;
        to->governor[i] = governor;
        to->after[i] = NOTHING;
        if (beside) to->after[i - 1] = kind;
        to->first[i] = !!words->first[i] | !!(role & POLITE);
        int capital = (shape == TITLE) | (shape == MIXED);
        int named = facts->names[row] | (surface < 0) | !words->first[i];
        to->seems[i] = (capital & named & (kind == NOTHING)) ? NAME : NOBODY;
    }
    return 1;
}

/* The tag of a word that has a meaning, 0 where it is to be left alone. */
INLINE uint8_t tag_of(const Sequence *words, const Facts *facts, const Around *around,
                      const Tables *tables, int64_t i, Scores scores)
{
    static const uint8_t first_tags[4] = {1, 3, 8, 11};
    int64_t surface = words->surfaces[i], next = i + 1 < words->count ? i + 1 : 0;
    int64_t last = i ? i - 1 : words->count - 1;
    int begins = !i || words->apart[i], ends = !next || words->apart[next];
    if (words->shapes[i] == UPPER && words->shapes[last] != UPPER && words->shapes[next] != UPPER)
        return 0;
    if (!begins && are_one(tables, words->surfaces[last], surface)) return 0;
    if (!ends && are_one(tables, surface, words->surfaces[next])) return 0;
    int left = begins ? NOBODY : around->seems[last], before = around->before[i];
    int noun_after = !ends && around->seems[next] == NOUN;
    int side = left == NOBODY ? SIDE_OF_NOBODY : left == NOUN ? around->masks[last] & 3 : left + 3;
    int64_t row = side * 4 + (facts->roles[around->after[i]] >> AFTER_ROLES);
    row = row * 2 + around->verbed[i];
    scores *= scores_at(tables->left, row * MASKS + around->masks[i]);
    scores *= scores_at(tables->right, (before * 2 + noun_after) * 2 + (left == VERB));
    float best, second;
    int part = ranked(scores, &best, &second);
    int column = column_of(tables, facts, around, surface, i, part, side);
    int known = (best > 0) & (best >= MARGIN * second) & (column >= 0);
    return known ? (uint8_t)(first_tags[part] + column) : 0;
}

/* Write the tags of words, 0 for what is to be left alone; only of those that are wanted, if that
   is said. `room` is for the first scores and the columns of Around. */
INLINE int64_t tag_in(const Sequence *words, const uint8_t *wanted, const Facts *facts,
                      const Tables *tables, Scores *first_of, uint32_t *places, uint8_t *room,
                      uint8_t *tags)
{
    int64_t n = words->count, meant = 0;
    const Around around = {
        room,         room + n,     room + 2 * n, room + 3 * n,           room + 4 * n,
        room + 5 * n, room + 6 * n, room + 7 * n, (int8_t *)room + 8 * n,
    };
    if (!look_around(words, facts, &around)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < n; i++) {
        places[meant] = (uint32_t)i;
        meant += (words->surfaces[i] >= 0) & (around.kinds[i] == NOTHING) & (around.seems[i] != NAME);
    }
    for (int64_t j = 0; j < meant; j++) {
        int64_t i = places[j];
        float best, second;
        first_of[i] = first_scores(facts, &around, words->surfaces[i], i);
        around.seems[i] = ranked(first_of[i], &best, &second);
    }
    uint8_t finite = 0, modal = 0;
    for (int64_t i = 0; i < n; i++) {
        uint16_t role = facts->roles[around.kinds[i]];
        uint8_t verb = around.seems[i] == VERB && around.masks[i] >> 2 != GERUND &&
                       !(facts->roles[around.governor[i]] & NOT_FINITE);
        modal &= !words->first[i];
        finite &= !(words->apart[i] | (role & OPENS_CLAUSE));
        around.asked[i] = modal;
        around.verbed[i] = finite;
        modal |= !!(role & MODAL);
        finite |= (role & FINITE) || verb;
        tags[i] = 0;
    }
    for (int64_t j = 0; j < meant; j++) {
        int64_t i = places[j];
        if ((words->shapes[i] != MIXED) & (!wanted || wanted[i]))
            tags[i] = tag_of(words, facts, &around, tables, i, first_of[i]);
    }
    return n;
}

KERNEL(perturb_tags,
       (const int32_t *surfaces, const uint8_t *shapes, const uint8_t *first, const uint8_t *apart,
        const uint8_t *wanted, int64_t count, const Facts *given, const Tables *tables,
        uint8_t *tags),
       (surfaces, shapes, first, apart, wanted, count, given, tables, tags))
{
    const Sequence words = {surfaces, shapes, first, apart, count};
    const Facts facts = *given; /* what is written to bytes may be anything else */
    if (facts.number_of_kinds <= POSSESSOR || facts.number_of_kinds > 256) return OUT_OF_RANGE;
    if (count > INT32_MAX) return DECLINED;
    size_t size = (size_t)count;
    Scores *scores = malloc(size * (sizeof *scores + sizeof(uint32_t) + COLUMNS_AROUND) + 1);
    if (!scores) return NO_MEMORY;
    uint32_t *places = (uint32_t *)(scores + size);
    uint8_t *room = (uint8_t *)(places + size);
    int64_t made = tag_in(&words, wanted, &facts, tables, scores, places, room, tags);
    free(scores);
    return made;
}
