/* The kernels that perturb calls. Each does what a function of NumPy does, which defines it; the
   functions of Python in this folder say what the arguments are. Nothing here keeps any state. */
#include "block.h"
#include "checks.h"
#include "code_points.h"
#include "compose.h"
#include "hashing.h"
#include "json.h"
#include "languages.h"
#include "selection.h"
#include "planned.h"
#include "contexts.h"
#include "draws.h"
#include "noise.h"
#include "numbers.h"
#include "restore.h"
#include "sentences.h"

/* Counted up with every change of what functions take or give; binding.py has the same number. */
#define INTERFACE 45

KERNEL_OF(perturb_interface, (void), (), INTERFACE, INTERFACE)

INLINE int64_t longest(const int64_t *edges, int64_t texts)
{
    int64_t most = 0;
    for (int64_t i = 0; i < texts; i++)
        if (edges[i + 1] - edges[i] > most) most = edges[i + 1] - edges[i];
    return most;
}

/* Whether edges rise from 0 on to at most `size`, and texts are not too long for their counters. */
INLINE int are_edges(const int64_t *edges, int64_t texts, int64_t size)
{
    int64_t last = 0;
    for (int64_t i = 0; i <= texts; last = edges[i++])
        if (edges[i] < last) return 0;
    return last <= size && longest(edges, texts) <= (int64_t)UINT32_MAX;
}

/* The hashes of texts in UTF-8, which have their sizes and a colon in front if these `lead`; `with` is
   a function that does it. */
INLINE int64_t keys_with(KeysOf *with, int lead, const void *codes, int wide, int64_t size,
                         const int64_t *starts, const int64_t *ends, int64_t texts, uint64_t *keys)
{
    Column source = {codes, starts, ends, size, texts, wide};
    if (!in_order(starts, ends, texts, size)) return OUT_OF_RANGE;
    if (!lead && !wide && is_ascii(codes, 0, 0, size)) {
        with(codes, size, starts, ends, texts, keys);
        return texts;
    }
    int64_t *edges = malloc(((size_t)texts + 1) * sizeof *edges);
    int64_t lead_room = lead ? NUMBER_ROOM + 1 : 0;
    uint8_t *bytes = malloc((size_t)(size * (wide ? 4 : 2) + texts * lead_room) + 1), *to = bytes;
    int64_t made = edges && bytes ? texts : NO_MEMORY;
    if (made == texts) {
        edges[0] = 0;
        for (int64_t i = 0; i < texts; i++) {
            uint8_t *text = to + lead_room;
            int64_t own = utf8(&source, starts[i], ends[i], text) - text;
            if (lead) to = PUT(put_number(to, own), ":");
            memmove(to, text, (size_t)own);
            to += own;
            edges[i + 1] = to - bytes;
        }
        with(bytes, to - bytes, edges, edges + 1, texts, keys);
    }
    free(edges);
    free(bytes);
    return made;
}

KERNEL_OF(perturb_keys,
       (const void *codes, int wide, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, uint64_t *keys),
       (codes, wide, size, starts, ends, texts, keys),
       keys_with(keys_in_lanes, 0, codes, wide, size, starts, ends, texts, keys),
       keys_with(keys_one_by_one, 0, codes, wide, size, starts, ends, texts, keys))

KERNEL(perturb_checks,
       (const void *codes, int wide, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, uint64_t *checks),
       (codes, wide, size, starts, ends, texts, checks))
{
    return keys_with(checks_of, 1, codes, wide, size, starts, ends, texts, checks);
}

/* Texts in UTF-8, one behind the other, and where each begins and the last ends. */
KERNEL(perturb_utf8,
       (const void *codes, int wide, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, uint8_t *bytes, int64_t room, int64_t *edges),
       (codes, wide, size, starts, ends, texts, bytes, room, edges))
{
    Column source = {codes, starts, ends, size, texts, wide};
    int is_plain = !wide && is_ascii(codes, 0, 0, size);
    edges[0] = 0;
    if (!in_range(&source)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < texts; i++) {
        int64_t length = ends[i] - starts[i];
        if (length * (wide ? 4 : 2 - is_plain) > room - edges[i]) return OUT_OF_RANGE;
        for (int64_t at = starts[i]; wide && at < ends[i]; at++)
            if (code_at(&source, at) >> 11 == 0xD800 >> 11) return DECLINED;
        uint8_t *to = bytes + edges[i];
        if (is_plain) memcpy(to, (const uint8_t *)codes + starts[i], (size_t)length);
        edges[i + 1] = edges[i] + (is_plain ? length : utf8(&source, starts[i], ends[i], to) - to);
    }
    return edges[texts];
}

KERNEL(perturb_choose_marks,
       (const uint8_t *mask, int64_t size, const int64_t *edges, int64_t texts,
        const uint64_t *keys, const int64_t *counts, const int64_t *wanted, int64_t room,
        int64_t *chosen),
       (mask, size, edges, texts, keys, counts, wanted, room, chosen))
{
    if (!are_edges(edges, texts, size)) return OUT_OF_RANGE;
    size_t most = (size_t)ROOM(longest(edges, texts));
    uint64_t *marks = malloc(WORDS(most) * sizeof *marks);
    uint32_t *places = malloc(2 * most * sizeof *places);
    int64_t made = marks && places ? 0 : NO_MEMORY;
    for (int64_t i = 0; made >= 0 && i < texts; i++) {
        int64_t length = edges[i + 1] - edges[i];
        if (wanted[i] < 0 || wanted[i] > counts[i] || wanted[i] > room - made) {
            made = OUT_OF_RANGE;
            break;
        }
        marks_of(mask + edges[i], length, marks);
        int64_t own =
            choose_marks(marks, length, keys[i], counts[i], wanted[i], places, places + most);
        for (int64_t j = 0; j < own; j++) chosen[made + j] = edges[i] + places[j];
        made += own;
    }
    free(marks);
    free(places);
    return made;
}

/* Whether no site starts with or before the one before it, or ends before it; and whether all lie
   in their texts. */
INLINE int are_sites(const int64_t *starts, const int64_t *ends, const int64_t *edges,
                     const int64_t *counts, int64_t texts, int64_t sites)
{
    int64_t first = 0;
    for (int64_t i = 0; i < texts; i++) {
        int64_t start = edges[i] - 1, end = edges[i];
        if (counts[i] < 0 || counts[i] > sites - first) return 0;
        int64_t last = first + counts[i];
        if (first < last) {
            int bad = starts[first] <= start || ends[first] < end || ends[first] < starts[first];
            for (int64_t j = first + 1; j < last; j++) /* without a branch, so side by side */
                bad |= (starts[j] <= starts[j - 1]) | (ends[j] < ends[j - 1]) | (ends[j] < starts[j]);
            if (bad) return 0;
            start = starts[last - 1];
            end = ends[last - 1];
        }
        if (start >= edges[i + 1] || end > edges[i + 1]) return 0;
        first = last;
    }
    return first == sites;
}

KERNEL(perturb_choose_sites,
       (const int64_t *starts, const int64_t *ends, const uint32_t *ranks, int64_t sites, int apart,
        const int64_t *edges, int64_t texts, const uint64_t *keys, const int64_t *counts,
        const int64_t *wanted, int64_t given, int64_t *chosen, int64_t *made),
       (starts, ends, ranks, sites, apart, edges, texts, keys, counts, wanted, given, chosen, made))
{
    int64_t most = 0, first = 0, total = 0;
    if (!are_edges(edges, texts, INT64_MAX)) return OUT_OF_RANGE;
    if (!are_sites(starts, ends, edges, counts, texts, sites)) return DECLINED;
    for (int64_t i = 0; i < texts; i++) {
        if (wanted[i] < 0 || wanted[i] > counts[i] || wanted[i] > given) return OUT_OF_RANGE;
        if (counts[i] > most) most = counts[i];
        given -= wanted[i];
    }
    size_t room = (size_t)ROOM(most);
    Scratch own = {malloc(room * 4), malloc(room * 4), malloc(room * sizeof(RankedSite)), malloc(room)};
    if (!own.places || !own.ranks || !own.sorted || !own.states) total = NO_MEMORY;
    for (int64_t i = 0; total != NO_MEMORY && i < texts; first += counts[i++])
        total += made[i] =
            choose_sites(starts + first, ends + first, ranks ? ranks + first : NULL, counts[i], apart,
                         keys[i], edges[i], wanted[i], first, &own, chosen + total);
    free(own.places);
    free(own.ranks);
    free(own.sorted);
    free(own.states);
    return total;
}

#define LONGEST 4096 /* what lies on the stack below is of this length */

/* `room` is for a Done, and for each character a place and two bytes; `key` is that of the record,
   or else of the text. */
KERNEL(perturb_text,
       (const uint8_t *text, int64_t size, const Plan *plan, int has_key, uint64_t key,
        uint8_t *room),
       (text, size, plan, has_key, key, room))
{
    uint64_t marks[WORDS(LONGEST)], digits[WORDS(LONGEST)];
    uint32_t places[ROOM(LONGEST)], ranks[ROOM(LONGEST)];
    if (size < 0 || size > LONGEST || (uintptr_t)room % 8) return DECLINED;
    int64_t *chosen = (int64_t *)(room + sizeof(Done));
    uint8_t *after = (uint8_t *)(chosen + size);
    memcpy(after, text, (size_t)size);
    Done done = perform(text, size, 0, plan, has_key ? key : key_of(text, size),
                        &(Workspace){marks, digits, places, ranks}, 0, chosen, after, after + size);
    memcpy(room, &done, sizeof done);
    return done.edits;
}

/* `after`, `chosen` and `written` have an entry for each byte of the texts, `done` one for each
   text, and so has `of`, the number of its plan, if there are several. */
KERNEL(perturb_texts,
       (const uint8_t *codes, int64_t size, const int64_t *starts, const int64_t *ends,
        const int64_t *closed, int64_t texts, const uint64_t *keys, const Plan *const *plans,
        int64_t count, const uint8_t *of, uint8_t *after, int64_t *chosen, uint8_t *written,
        Done *done),
       (codes, size, starts, ends, closed, texts, keys, plans, count, of, after, chosen, written, done))
{
    int64_t most = 1, made = 0;
    if (!in_order(starts, ends, texts, size)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < texts; i++) {
        if (of && of[i] >= count) return OUT_OF_RANGE;
        if (ends[i] - starts[i] > most) most = ends[i] - starts[i];
    }
    if (most > (int64_t)UINT32_MAX) return DECLINED;
    size_t room = (size_t)ROOM(most), words = WORDS(room);
    uint64_t *memory = malloc(words * 16 + room * 8);
    if (!memory) return NO_MEMORY;
    uint32_t *numbers = (uint32_t *)(memory + 2 * words);
    Workspace own = {memory, memory + words, numbers, numbers + room};
    memcpy(after, codes, (size_t)size);
    for (int64_t i = 0; i < texts; i++) {
        done[i] = perform(codes + starts[i], ends[i] - starts[i], closed[i], plans[of ? of[i] : 0],
                          keys[i], &own, starts[i], chosen + made, after + starts[i], written + made);
        made += done[i].edits;
    }
    free(memory);
    return made;
}

#if defined(__clang__) && defined(FOR_SOME_MACHINES)
#pragma clang attribute pop
#endif
