/* The lowest ranks of each text. */
#pragma once
#include "hashing.h"
#include "marks.h"
#include <math.h>

#define FEW 64 /* so many ranks are compared with each other, without a branch */
#define RUN 16 /* so many words of marks get their ranks at once */
#define AT_A_TIME 8 /* so many places are listed without a branch */
#define ROOM(places) ((places) + FEW) /* what lies behind places may be read and written */

/* The rank below which `take` of `count` sites lie, in all likelihood, and few more. */
INLINE uint32_t likely_limit(int64_t take, int64_t count)
{
    double share = ((double)take + 2.5 * sqrt((double)take) + 2) / (double)count;
    return share < 1 ? (uint32_t)(share * 0xFFFFFFFFu) : 0xFFFFFFFFu;
}

/* For each rank how many are lower, or alike and before it; both have room for `room` numbers, a
   multiple of 16 that is a constant to the compiler. The order is that of the signed numbers. */
INLINE void places_in_order(const int32_t *ranks, const int room, const int unlike,
                            int32_t *places)
{
    for (int i = 0; i < room; i++) {
        int32_t lower = 0;
        for (int j = 0; j < room; j++)
            lower += ranks[j] < ranks[i] || (!unlike && ranks[j] == ranks[i] && j < i);
        places[i] = lower;
    }
}

INLINE void order_few(const uint32_t *ranks, int64_t n, const int unlike, int32_t *places)
{
    int32_t flipped[FEW];
    for (int64_t i = 0; i < n; i++) flipped[i] = (int32_t)(ranks[i] ^ 0x80000000u);
    int room = n <= 16 ? 16 : n <= 32 ? 32 : FEW;
    for (int64_t i = n; i < room; i++) flipped[i] = INT32_MAX;
    if (room == 16) places_in_order(flipped, 16, unlike, places);
    else if (room == 32) places_in_order(flipped, 32, unlike, places);
    else places_in_order(flipped, FEW, unlike, places);
}

/* The `take`-th lowest of `n` ranks, found byte by byte; 1 <= take <= n. */
INLINE uint32_t nth_lowest(const uint32_t *ranks, int64_t n, int64_t take)
{
    uint32_t known = 0, bits = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        int64_t sizes[256] = {0};
        uint32_t byte = 0;
        for (int64_t i = 0; i < n; i++)
            if ((ranks[i] & bits) == known) sizes[ranks[i] >> shift & 255]++;
        while (byte < 255 && take > sizes[byte]) take -= sizes[byte++];
        known |= byte << shift;
        bits |= (uint32_t)255 << shift;
    }
    return known;
}

/* Keep those `take` of `n` places, in order, that have the lowest ranks; `take` < `n`. */
INLINE void keep_lowest(uint32_t *places, const uint32_t *ranks, int64_t n, int64_t take)
{
    int64_t made = 0;
    if (n <= FEW) {
        int32_t order[FEW];
        uint8_t flags[WORD];
        for (int i = 0; i < FEW; i++) order[i] = FEW;
        order_few(ranks, n, 1, order);
        for (int i = 0; i < FEW; i++) flags[i] = (uint8_t)-(order[i] < take);
        for (uint64_t bits = bits_of(flags); made < take; made += AT_A_TIME)
            for (int i = 0; i < AT_A_TIME; i++, bits &= bits - 1)
                places[made + i] = places[__builtin_ctzll(bits | (uint64_t)1 << 63)];
        return;
    }
    uint32_t last = nth_lowest(ranks, n, take);
    for (int64_t i = 0; made < take; i++) {
        places[made] = places[i];
        made += ranks[i] <= last;
    }
}

/* List the places from `at` on that have bits, and their ranks: `n` are listed before, and as many
   as returned after. */
INLINE int64_t list_places(uint64_t bits, int64_t at, const uint32_t *drawn, int64_t n,
                           uint32_t *places, uint32_t *ranks)
{
    int64_t end = n + __builtin_popcountll(bits);
    for (; n < end; n += AT_A_TIME)
        for (int i = 0; i < AT_A_TIME; i++, bits &= bits - 1) {
            int place = __builtin_ctzll(bits | (uint64_t)1 << 63);
            places[n + i] = (uint32_t)(at + place);
            ranks[n + i] = drawn[place];
        }
    return end;
}

/* The marked places of a text whose rank is at most `limit`, and the ranks. Bits are made first and
   listed then, as a branch on bits that are being made would wait for them. */
INLINE int64_t marks_below(const uint64_t *marks, int64_t length, uint64_t key, uint32_t limit,
                           uint32_t *places, uint32_t *ranks)
{
    uint32_t low = (uint32_t)key, high = (uint32_t)(key >> 32), drawn[RUN * WORD];
    uint64_t below[RUN];
    int64_t n = 0;
    for (int64_t at = 0; at < length; at += RUN * WORD) {
        int64_t words = WORDS(length - at) < RUN ? WORDS(length - at) : RUN;
        for (int64_t w = 0; w < words; w++) {
            uint32_t first = low + (uint32_t)(at + w * WORD) * STRIDE, *own = drawn + w * WORD;
            uint8_t flags[WORD];
            for (uint32_t i = 0; i < WORD; i++) own[i] = mixed32(first + i * STRIDE, high);
            for (int i = 0; i < WORD; i++) flags[i] = (uint8_t)-(own[i] <= limit);
            below[w] = bits_of(flags) & marks[at / WORD + w];
        }
        for (int64_t w = 0; w < words; w++)
            n = list_places(below[w], at + w * WORD, drawn + w * WORD, n, places, ranks);
    }
    return n;
}

/* Choose `take` of the `count` marked characters of one text; how many it was. */
INLINE int64_t choose_marks(const uint64_t *marks, int64_t length, uint64_t key, int64_t count,
                            int64_t take, uint32_t *places, uint32_t *ranks)
{
    if (!take) return 0;
    uint32_t limit = take < count ? likely_limit(take, count) : 0xFFFFFFFFu;
    int64_t n = marks_below(marks, length, key, limit, places, ranks);
    while (n < take && limit != 0xFFFFFFFFu) {
        limit = limit > 0x3FFFFFFFu ? 0xFFFFFFFFu : limit * 4;
        n = marks_below(marks, length, key, limit, places, ranks);
    }
    if (n > take) keep_lowest(places, ranks, n, take);
    return n < take ? n : take;
}

typedef struct {
    uint32_t rank, site;
} RankedSite;

static int by_rank(const void *left, const void *right)
{
    const RankedSite *a = left, *b = right;
    if (a->rank != b->rank) return a->rank > b->rank ? 1 : -1;
    return (a->site > b->site) - (a->site < b->site);
}

/* Put sites into the order of their ranks, and of their places where two are alike. */
INLINE void sort_sites(const uint32_t *sites, const uint32_t *ranks, int64_t n, int unlike,
                       RankedSite *sorted)
{
    if (n <= FEW) {
        int32_t order[FEW];
        if (unlike) order_few(ranks, n, 1, order);
        else order_few(ranks, n, 0, order);
        for (int64_t i = 0; i < n; i++) sorted[order[i]] = (RankedSite){ranks[i], sites[i]};
        return;
    }
    for (int64_t i = 0; i < n; i++) sorted[i] = (RankedSite){ranks[i], sites[i]};
    qsort(sorted, (size_t)n, sizeof *sorted, by_rank);
}

enum { FREE, TAKEN, BLOCKED };

/* Take sites in order and pass over each that overlaps a taken one; how many were taken. Neither
   starts nor ends decrease from site to site, so what overlaps a site lies beside it. */
INLINE int64_t take_apart(const int64_t *starts, const int64_t *ends, int64_t count,
                          const RankedSite *sorted, int64_t n, int64_t take, uint8_t *states)
{
    int64_t made = 0;
    memset(states, FREE, (size_t)count);
    for (int64_t k = 0; k < n && made < take; k++) {
        int64_t site = sorted[k].site;
        if (states[site] != FREE) continue;
        for (int64_t i = site - 1; i >= 0 && ends[i] > starts[site]; i--)
            if (starts[i] < ends[site]) states[i] = BLOCKED;
        for (int64_t i = site + 1; i < count && starts[i] < ends[site]; i++)
            if (ends[i] > starts[site]) states[i] = BLOCKED;
        states[site] = TAKEN;
        made++;
    }
    return made;
}

typedef struct {
    uint32_t *places, *ranks;
    RankedSite *sorted;
    uint8_t *states;
} Scratch;

/* Choose `take` of the `count` sites of one text, by number from `first` on; how many it was. Their
   ranks are drawn where none are given. */
INLINE int64_t choose_sites(const int64_t *starts, const int64_t *ends, const uint32_t *given,
                            int64_t count, int apart, uint64_t key, int64_t edge, int64_t take,
                            int64_t first, Scratch *own, int64_t *chosen)
{
    if (!take) return 0;
    if (take == count && apart) {
        for (int64_t i = 0; i < count; i++) chosen[i] = first + i;
        return count;
    }
    uint32_t low = (uint32_t)key - (uint32_t)edge * STRIDE, high = (uint32_t)(key >> 32);
    uint32_t limit = likely_limit(take, count);
    for (;; limit = limit > 0x3FFFFFFFu ? 0xFFFFFFFFu : limit * 4) {
        int64_t n = 0, made = 0;
        for (int64_t i = 0; i < count; i++) {
            uint32_t rank = given ? given[i] : mixed32((uint32_t)starts[i] * STRIDE + low, high);
            own->places[n] = (uint32_t)i;
            own->ranks[n] = rank;
            n += rank <= limit;
        }
        if (n < take && limit != 0xFFFFFFFFu) continue;
        if (apart && !given) {
            if (n > take) keep_lowest(own->places, own->ranks, n, take);
            for (int64_t i = 0; i < take; i++) chosen[i] = first + own->places[i];
            return take;
        }
        sort_sites(own->places, own->ranks, n, !given, own->sorted);
        made = take_apart(starts, ends, count, own->sorted, n, take, own->states);
        if (made < take && limit != 0xFFFFFFFFu) continue;
        for (int64_t i = 0, at = 0; at < made; i++) {
            chosen[at] = first + own->places[i];
            at += own->states[own->places[i]] == TAKEN;
        }
        return made;
    }
}
