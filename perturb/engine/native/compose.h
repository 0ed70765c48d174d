/* Edits after edits, as edits of the first text. */
#pragma once
#include "code_points.h"

/* Edits of a text: the spans that they replace, and the lengths of what they write. */
typedef struct {
    const int64_t *starts, *ends, *lengths;
    int64_t count;
} Changes;

/* How many edits of a list lie before a place, and by how much they lengthen the text. */
typedef struct {
    int64_t count, grown;
} Before;

/* A place in both lists. */
typedef struct {
    Before first, second;
} Place;

/* The next edit of a list: its span in the text between the two lists, where the first wrote it and
   the second replaces it. `low` and `high` are its ends on a doubled axis, where an empty span
   reaches half a place to both sides. */
typedef struct {
    int64_t start, end, low, high;
} Next;

/* The edits of both lists, which are taken in turns. */
typedef struct {
    const Changes *first, *second;
    Place at;
    Next of_first, of_second;
} Merger;

/* What edits are put together into: those that change nothing are left out. */
typedef struct {
    const Column *source, *result;
    int64_t *starts, *ends, *new_starts, *new_ends;
    int64_t count;
} Composed;

#define FARTHEST ((int64_t)1 << 60)
#define NOWHERE INT64_MAX

/* The size of a text of `size` after edits, negative where they can't be edits of it. */
INLINE int64_t size_after(const Changes *changes, int64_t size)
{
    int64_t at = size;
    if (!in_order(changes->starts, changes->ends, changes->count, size)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < changes->count; i++) {
        if (changes->lengths[i] < 0 || changes->lengths[i] > FARTHEST) return OUT_OF_RANGE;
        at += changes->lengths[i] - (changes->ends[i] - changes->starts[i]);
        if (at > FARTHEST) return OUT_OF_RANGE;
    }
    return at;
}

INLINE void look(const Changes *changes, const Before *at, int wrote, Next *next)
{
    next->low = NOWHERE;
    if (at->count == changes->count) return;
    next->start = changes->starts[at->count] + (wrote ? at->grown : 0);
    next->end = wrote ? next->start + changes->lengths[at->count] : changes->ends[at->count];
    int empty = next->start == next->end;
    next->low = 2 * next->start - empty;
    next->high = 2 * next->end + empty;
}

INLINE void move_to(Merger *merger, Place at)
{
    merger->at = at;
    look(merger->first, &merger->at.first, 1, &merger->of_first);
    look(merger->second, &merger->at.second, 0, &merger->of_second);
}

INLINE void pass(const Changes *changes, Before *at)
{
    int64_t i = at->count++;
    at->grown += changes->lengths[i] - (changes->ends[i] - changes->starts[i]);
}

/* Whether the next edit is one of the first list. */
INLINE int is_first(const Merger *merger)
{
    const Next *one = &merger->of_first, *two = &merger->of_second;
    return one->low < two->low || (one->low == two->low && one->high <= two->high);
}

INLINE const Next *next_of(const Merger *merger)
{
    return is_first(merger) ? &merger->of_first : &merger->of_second;
}

/* Take one edit; its span. */
INLINE Next take_next(Merger *merger)
{
    Next found = *next_of(merger);
    if (is_first(merger)) {
        pass(merger->first, &merger->at.first);
        look(merger->first, &merger->at.first, 1, &merger->of_first);
    } else {
        pass(merger->second, &merger->at.second);
        look(merger->second, &merger->at.second, 0, &merger->of_second);
    }
    return found;
}

/* Take the next edit and all that overlap with it; what they cover. */
INLINE Next take_together(Merger *merger)
{
    Next all = take_next(merger);
    for (const Next *next; (next = next_of(merger))->low < all.high;) {
        Next found = take_next(merger);
        if (found.high > all.high) all.high = found.high;
        if (found.end > all.end) all.end = found.end;
    }
    return all;
}

INLINE int is_same(const Column *source, int64_t start, int64_t end, const Column *result,
                   int64_t new_start, int64_t new_end)
{
    if (end - start != new_end - new_start) return 0;
    for (int64_t i = 0; i < end - start; i++)
        if (code_at(source, start + i) != code_at(result, new_start + i)) return 0;
    return 1;
}

/* Add what the edits between two places make of a span of the text between the lists; whether it
   lies in the other texts. */
INLINE int add_edit(Composed *to, const Next *span, const Place *from, const Place *until)
{
    int64_t start = span->start - from->first.grown, end = span->end - until->first.grown;
    int64_t new_start = span->start + from->second.grown;
    int64_t new_end = span->end + until->second.grown;
    if (start < 0 || end < start || end > to->source->size || new_start < 0 ||
        new_end < new_start || new_end > to->result->size)
        return 0;
    if (is_same(to->source, start, end, to->result, new_start, new_end)) return 1;
    to->starts[to->count] = start;
    to->ends[to->count] = end;
    to->new_starts[to->count] = new_start;
    to->new_ends[to->count++] = new_end;
    return 1;
}

/* Compose edits, and others of the texts after them. Those of the two that overlap become one;
   what only one of the two did stays as it was, though a deletion meets the edit beside it. */
KERNEL(perturb_compose,
       (const void *codes, int wide, int64_t size, const void *new_codes, int new_wide,
        int64_t new_size, const int64_t *first_starts, const int64_t *first_ends,
        const int64_t *first_lengths, int64_t first_edits, const int64_t *second_starts,
        const int64_t *second_ends, const int64_t *second_lengths, int64_t second_edits,
        int64_t *starts, int64_t *ends, int64_t *new_starts, int64_t *new_ends),
       (codes, wide, size, new_codes, new_wide, new_size, first_starts, first_ends, first_lengths,
        first_edits, second_starts, second_ends, second_lengths, second_edits, starts, ends,
        new_starts, new_ends))
{
    Column source = {codes, NULL, NULL, size, 0, wide};
    Column result = {new_codes, NULL, NULL, new_size, 0, new_wide};
    Changes first = {first_starts, first_ends, first_lengths, first_edits};
    Changes second = {second_starts, second_ends, second_lengths, second_edits};
    Composed made = {&source, &result, starts, ends, new_starts, new_ends, 0};
    int64_t between = size_after(&first, size);
    if (between < 0 || size_after(&second, between) < 0) return OUT_OF_RANGE;
    Merger merger = {.first = &first, .second = &second};
    move_to(&merger, (Place){{0, 0}, {0, 0}});
    while (next_of(&merger)->low != NOWHERE) {
        Place from = merger.at;
        Next span = take_together(&merger);
        Place until = merger.at;
        int64_t ours = until.first.count - from.first.count;
        int64_t theirs = until.second.count - from.second.count;
        if (ours + theirs == 1 || (ours && theirs)) {
            if (!add_edit(&made, &span, &from, &until)) return OUT_OF_RANGE;
            continue;
        }
        for (move_to(&merger, from); ours + theirs; ours ? ours-- : theirs--) {
            from = merger.at;
            span = take_next(&merger);
            if (!add_edit(&made, &span, &from, &merger.at)) return OUT_OF_RANGE;
        }
    }
    return made.count;
}
