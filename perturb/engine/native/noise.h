/* Counted noise: at which places its edits are, and what they write. */
#pragma once
#include "platform.h"

/* What an edit is at, as in perturb/perturbators/shared/noise.py: up to three characters, a word. */
enum { THREE = 3, A_WORD, NO_EDIT, SHAPES = 4 };

typedef struct {
    float up_to[THREE], of_three; /* of the kinds at the middle one, and of edits of all three */
} Rates;

typedef struct {
    const Rates *rates;    /* by three characters in a row */
    const int32_t *groups; /* by these and a kind: a group of edits, 0 for none */
    const int64_t (*steps)[SHAPES][THREE]; /* by kind: how far apart characters are in `groups` */
    const double *sums, *bounds; /* of the rates of all edits, up to each edit and each group */
    const int64_t *firsts;       /* of the edits of each group */
    const uint8_t *lengths;      /* of the word that each group is for */
    int64_t characters, count;   /* how many numbers of characters there are, and of groups */
} Noise;

/* Whether numbers are of characters: those of all places, of one before them and two behind. */
INLINE int are_numbers(const uint8_t *numbers, int64_t places, int64_t characters)
{
    int bad = 0;
    for (int64_t i = 0; i < places + 3; i++) bad |= numbers[i] >= characters;
    return !bad;
}

/* Write the kind of the edit at each place, and the sites, for which there is room as for places.
   The numbers of characters begin with the one before the first place, and end with two more. */
KERNEL(perturb_noise,
       (const Noise *given, const uint8_t *numbers, int64_t places, const int32_t *words,
        const uint8_t *closed, const double *factors, const uint32_t *draws,
        const uint32_t *waits, uint8_t *kinds, int64_t *starts, int64_t *ends, uint32_t *ranks),
       (given, numbers, places, words, closed, factors, draws, waits, kinds, starts, ends, ranks))
{
    const Noise noise = *given;
    int64_t made = 0, size = noise.characters;
    if (!are_numbers(numbers, places, size)) return OUT_OF_RANGE;
    const Rates *next = noise.rates + (numbers[0] * size + numbers[1]) * size + numbers[2];
    for (int64_t i = 0; i < places; i++) {
        const Rates *here = next;
        next = noise.rates + (numbers[i + 1] * size + numbers[i + 2]) * size + numbers[i + 3];
        double of_three = here->up_to[2] + (double)next->of_three, rate = of_three;
        int64_t word = words[i], length = 0;
        if (word) {
            if (word < 0 || word >= noise.count) return OUT_OF_RANGE;
            rate += noise.bounds[word + 1] - noise.bounds[word];
            length = noise.lengths[word];
            if (length > places - i) return OUT_OF_RANGE;
        }
        double level = draws[i] * 0x1p-32 * rate, wait = waits[i] + 0.5;
        int kind = (level >= here->up_to[0]) + (level >= here->up_to[1]) +
                   (level >= here->up_to[2]) + (level >= of_three);
        ends[i] = i + (kind == A_WORD ? length : kind);
        if (factors) rate *= factors[i];
        if (closed && (closed[i] | closed[ends[i] - (ends[i] > i)])) rate = 0;
        kinds[i] = (uint8_t)(rate > 0 ? kind : NO_EDIT);
        if (!(rate > 0)) ends[i] = i;
        ranks[i] = (uint32_t)(int64_t)(wait / (rate * 0x1p32 + wait) * 0xFFFFFFFF);
    }
    /* Of a site and those that end within it the first stays, or all of these. Most of those begin
       at the next place, and need no branch. */
    for (int64_t i = 0, gone = 0; i < places; i++) {
        int64_t end = ends[i], inner = i + (i + 1 < places);
        uint32_t rank = ranks[i];
        int64_t within = ends[inner] < end, later = within & (ranks[inner] < rank);
        int64_t stays = (kinds[i] != NO_EDIT) & !gone;
        for (int64_t j = i + 2; j < end && j < places; j++)
            later |= (ends[j] < end) & (ranks[j] < rank);
        for (int64_t j = i + 2; j < end && j < places && !later; j++)
            if (ends[j] < end) kinds[j] = NO_EDIT;
        starts[made] = i + 1;
        ends[made] = end + 1;
        ranks[made] = rank;
        made += stays & !later;
        gone = within & !later;
    }
    return made;
}

/* Draw one of the edits of its kind that fit each place, by their rates. */
KERNEL(perturb_noise_edits,
       (const Noise *given, const uint8_t *numbers, int64_t places, const int32_t *words,
        const uint8_t *kinds, const int64_t *at, const uint32_t *draws, int64_t count,
        int64_t *edits),
       (given, numbers, places, words, kinds, at, draws, count, edits))
{
    const Noise noise = *given;
    if (!are_numbers(numbers, places, noise.characters)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < count; i++) {
        if (at[i] < 0 || at[i] >= places || kinds[at[i]] > A_WORD) return OUT_OF_RANGE;
        if (words[at[i]] < 0 || words[at[i]] >= noise.count) return OUT_OF_RANGE;
        int64_t kind = kinds[at[i]], shape = 0, groups[SHAPES];
        const uint8_t *three = numbers + at[i] + (kind == THREE);
        double sum = 0, sums[SHAPES];
        for (int s = 0; s < SHAPES; s++) {
            const int64_t *steps = noise.steps[kind][s];
            int64_t cell = three[0] * steps[0] + three[1] * steps[1] + three[2] * steps[2];
            groups[s] = kind < A_WORD ? noise.groups[cell + kind] : s ? 0 : words[at[i]];
            sums[s] = sum += noise.bounds[groups[s] + 1] - noise.bounds[groups[s]];
        }
        double level = draws[i] * 0x1p-32 * sum;
        while (shape < SHAPES - 1 && sums[shape] <= level) shape++;
        int64_t edit = noise.firsts[groups[shape]], last = noise.firsts[groups[shape] + 1] - 1;
        level += noise.bounds[groups[shape] + 1] - sums[shape];
        while (edit < last && noise.sums[edit] <= level) edit++;
        edits[i] = edit;
    }
    return count;
}
