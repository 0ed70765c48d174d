/* The kernels that perturb calls. Each does what a function of NumPy does, which defines it; the
   functions of Python in this folder say what the arguments are. Nothing here keeps any state. */
#include "checks.h"
#include "code_points.h"
#include "compose.h"
#include "hashing.h"
#include "json.h"
#include "selection.h"
#include "planned.h"
#include "contexts.h"
#include "draws.h"
#include "noise.h"
#include "sentences.h"
#include "unquoted.h"

/* Counted up with every change of what functions take or give; library.py has the same number. */
#define INTERFACE 29

EXPORT int64_t perturb_interface(void) { return INTERFACE; }

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

/* The keys of texts, which are hashed in UTF-8; `with` is a function that does it. */
INLINE int64_t keys_with(KeysOf *with, const void *codes, int wide, int64_t size,
                         const int64_t *starts, const int64_t *ends, int64_t texts, uint64_t *keys)
{
    Column source = {codes, starts, ends, size, texts, wide};
    if (!in_order(starts, ends, texts, size)) return OUT_OF_RANGE;
    if (!wide && is_ascii(codes, 0, 0, size)) {
        with(codes, size, starts, ends, texts, keys);
        return texts;
    }
    int64_t *edges = malloc(((size_t)texts + 1) * sizeof *edges);
    uint8_t *bytes = malloc((size_t)size * (wide ? 4 : 2) + 1), *to = bytes;
    int64_t made = edges && bytes ? texts : NO_MEMORY;
    if (made == texts) {
        edges[0] = 0;
        for (int64_t i = 0; i < texts; i++) {
            to = utf8(&source, starts[i], ends[i], to);
            edges[i + 1] = to - bytes;
        }
        with(bytes, to - bytes, edges, edges + 1, texts, keys);
    }
    free(edges);
    free(bytes);
    return made;
}

INLINE int64_t keys_side_by_side(const void *codes, int wide, int64_t size, const int64_t *starts,
                                 const int64_t *ends, int64_t texts, uint64_t *keys)
{
    return keys_with(keys_in_lanes, codes, wide, size, starts, ends, texts, keys);
}

INLINE int64_t keys_in_turn(const void *codes, int wide, int64_t size, const int64_t *starts,
                            const int64_t *ends, int64_t texts, uint64_t *keys)
{
    return keys_with(keys_one_by_one, codes, wide, size, starts, ends, texts, keys);
}

INLINE int64_t perturb_checks_body(const void *codes, int wide, int64_t size,
                                   const int64_t *starts, const int64_t *ends, int64_t texts,
                                   uint64_t *checks)
{
    return keys_with(checks_of, codes, wide, size, starts, ends, texts, checks);
}

INLINE int64_t perturb_narrow_body(const uint32_t *codes, int64_t size, const uint8_t *table,
                                   int odd, uint8_t *to)
{
    return narrow(codes, size, table, (uint8_t)odd, to);
}

INLINE int64_t perturb_choose_marks_body(const uint8_t *mask, int64_t size, const int64_t *edges,
                                         int64_t texts, const uint64_t *keys, const int64_t *counts,
                                         const int64_t *wanted, int64_t room, int64_t *chosen)
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

INLINE int64_t perturb_choose_sites_body(const int64_t *starts, const int64_t *ends,
                                         const uint32_t *ranks, int64_t sites, int apart,
                                         const int64_t *edges, int64_t texts, const uint64_t *keys,
                                         const int64_t *counts, const int64_t *wanted,
                                         int64_t *chosen, int64_t *made)
{
    int64_t most = 0, first = 0, total = 0;
    if (!are_edges(edges, texts, INT64_MAX)) return OUT_OF_RANGE;
    if (!are_sites(starts, ends, edges, counts, texts, sites)) return DECLINED;
    for (int64_t i = 0; i < texts; i++) {
        if (wanted[i] < 0 || wanted[i] > counts[i]) return OUT_OF_RANGE;
        if (counts[i] > most) most = counts[i];
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

INLINE int64_t perturb_apply_body(const void *codes, int wide, int64_t size,
                                  const int64_t *text_starts, const int64_t *text_ends,
                                  int64_t texts, const int64_t *starts, const int64_t *ends,
                                  int64_t edits, const void *written, int written_wide,
                                  int64_t written_size, const int64_t *written_starts,
                                  const int64_t *written_ends, void *to, int64_t room,
                                  int64_t *new_starts, int64_t *new_ends)
{
    Column source = {codes, text_starts, text_ends, size, texts, wide};
    Column strings = {written, written_starts, written_ends, written_size, edits, written_wide};
    return apply(&source, starts, ends, &strings, to, room, new_starts, new_ends);
}

INLINE int64_t perturb_compose_body(const void *codes, int wide, int64_t size,
                                    const void *new_codes, int new_wide, int64_t new_size,
                                    const int64_t *first_starts, const int64_t *first_ends,
                                    const int64_t *first_lengths, int64_t first_edits,
                                    const int64_t *second_starts, const int64_t *second_ends,
                                    const int64_t *second_lengths, int64_t second_edits,
                                    int64_t *starts, int64_t *ends, int64_t *new_starts,
                                    int64_t *new_ends)
{
    Column source = {codes, NULL, NULL, size, 0, wide};
    Column result = {new_codes, NULL, NULL, new_size, 0, new_wide};
    Changes first = {first_starts, first_ends, first_lengths, first_edits};
    Changes second = {second_starts, second_ends, second_lengths, second_edits};
    Composed made = {&source, &result, starts, ends, new_starts, new_ends, 0};
    return compose(&first, &second, &made);
}

KERNEL_OF(perturb_keys, keys_side_by_side, keys_in_turn,
       (const void *codes, int wide, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, uint64_t *keys),
       (codes, wide, size, starts, ends, texts, keys))
KERNEL(perturb_checks,
       (const void *codes, int wide, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, uint64_t *checks),
       (codes, wide, size, starts, ends, texts, checks))
KERNEL(perturb_narrow,
       (const uint32_t *codes, int64_t size, const uint8_t *table, int odd, uint8_t *to),
       (codes, size, table, odd, to))
KERNEL(perturb_choose_marks,
       (const uint8_t *mask, int64_t size, const int64_t *edges, int64_t texts,
        const uint64_t *keys, const int64_t *counts, const int64_t *wanted, int64_t room,
        int64_t *chosen),
       (mask, size, edges, texts, keys, counts, wanted, room, chosen))
KERNEL(perturb_choose_sites,
       (const int64_t *starts, const int64_t *ends, const uint32_t *ranks, int64_t sites, int apart,
        const int64_t *edges, int64_t texts, const uint64_t *keys, const int64_t *counts,
        const int64_t *wanted, int64_t *chosen, int64_t *made),
       (starts, ends, ranks, sites, apart, edges, texts, keys, counts, wanted, chosen, made))
KERNEL(perturb_apply,
       (const void *codes, int wide, int64_t size, const int64_t *text_starts,
        const int64_t *text_ends, int64_t texts, const int64_t *starts, const int64_t *ends,
        int64_t edits, const void *written, int written_wide, int64_t written_size,
        const int64_t *written_starts, const int64_t *written_ends, void *to, int64_t room,
        int64_t *new_starts, int64_t *new_ends),
       (codes, wide, size, text_starts, text_ends, texts, starts, ends, edits, written,
        written_wide, written_size, written_starts, written_ends, to, room, new_starts, new_ends))
KERNEL(perturb_compose,
       (const void *codes, int wide, int64_t size, const void *new_codes, int new_wide,
        int64_t new_size, const int64_t *first_starts, const int64_t *first_ends,
        const int64_t *first_lengths, int64_t first_edits, const int64_t *second_starts,
        const int64_t *second_ends, const int64_t *second_lengths, int64_t second_edits,
        int64_t *starts, int64_t *ends, int64_t *new_starts, int64_t *new_ends),
       (codes, wide, size, new_codes, new_wide, new_size, first_starts, first_ends, first_lengths,
        first_edits, second_starts, second_ends, second_lengths, second_edits, starts, ends,
        new_starts, new_ends))

/* Without `to`, how much room there must be. */
INLINE int64_t perturb_edit_texts_body(const int64_t *starts, int64_t edits, const void *removed,
                                       int removed_wide, int64_t removed_size,
                                       const int64_t *removed_starts, const int64_t *removed_ends,
                                       const void *written, int written_wide, int64_t written_size,
                                       const int64_t *written_starts, const int64_t *written_ends,
                                       const int64_t *counts, const int64_t *origins, int64_t texts,
                                       const uint8_t *path, int64_t path_size, int json,
                                       uint8_t *to, int64_t *text_ends)
{
    Column old = {removed, removed_starts, removed_ends, removed_size, edits, removed_wide};
    Column new = {written, written_starts, written_ends, written_size, edits, written_wide};
    EditTexts texts_of = {starts, &old, &new, counts, origins, texts, path_size, path, json};
    return to ? edit_texts(&texts_of, to, text_ends) : edit_texts_room(&texts_of);
}

KERNEL(perturb_edit_texts,
       (const int64_t *starts, int64_t edits, const void *removed, int removed_wide,
        int64_t removed_size, const int64_t *removed_starts, const int64_t *removed_ends,
        const void *written, int written_wide, int64_t written_size, const int64_t *written_starts,
        const int64_t *written_ends, const int64_t *counts, const int64_t *origins, int64_t texts,
        const uint8_t *path, int64_t path_size, int json, uint8_t *to, int64_t *text_ends),
       (starts, edits, removed, removed_wide, removed_size, removed_starts, removed_ends, written,
        written_wide, written_size, written_starts, written_ends, counts, origins, texts, path,
        path_size, json, to, text_ends))

/* Without `to`, how much room there must be. */
INLINE int64_t perturb_join_body(const Piece *pieces, int64_t number, int64_t rows, uint8_t *to,
                                 int64_t *row_ends)
{
    return to ? join(pieces, number, rows, to, row_ends) : joined_room(pieces, number, rows);
}

KERNEL(perturb_join,
       (const Piece *pieces, int64_t number, int64_t rows, uint8_t *to, int64_t *row_ends),
       (pieces, number, rows, to, row_ends))

#define LONGEST 4096 /* what lies on the stack below is of this length */

/* `room` is for a Done, and for each character a place and two bytes; `key` is that of the record,
   or else of the text. */
INLINE int64_t perturb_text_body(const uint8_t *text, int64_t size, const Plan *plan, int has_key,
                                 uint64_t key, uint8_t *room)
{
    uint64_t marks[WORDS(LONGEST)], digits[WORDS(LONGEST)];
    uint32_t places[ROOM(LONGEST)], ranks[ROOM(LONGEST)];
    if (size < 0 || size > LONGEST || (uintptr_t)room % 8) return DECLINED;
    int64_t *chosen = (int64_t *)(room + sizeof(Done));
    uint8_t *after = (uint8_t *)(chosen + size);
    memcpy(after, text, (size_t)size);
    Done done = perform(text, size, plan, has_key ? key : key_of(text, size),
                        &(Workspace){marks, digits, places, ranks}, 0, chosen, after, after + size);
    memcpy(room, &done, sizeof done);
    return done.edits;
}

/* `after`, `chosen` and `written` have an entry for each byte of the texts, `done` one for each
   text. */
INLINE int64_t perturb_texts_body(const uint8_t *codes, int64_t size, const int64_t *starts,
                                  const int64_t *ends, int64_t texts, const uint64_t *keys,
                                  const Plan *plan, uint8_t *after, int64_t *chosen,
                                  uint8_t *written, Done *done)
{
    int64_t most = 1, made = 0;
    if (!in_order(starts, ends, texts, size)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < texts; i++)
        if (ends[i] - starts[i] > most) most = ends[i] - starts[i];
    if (most > (int64_t)UINT32_MAX) return DECLINED;
    size_t room = (size_t)ROOM(most), words = WORDS(room);
    uint64_t *memory = malloc(words * 16 + room * 8);
    if (!memory) return NO_MEMORY;
    uint32_t *numbers = (uint32_t *)(memory + 2 * words);
    Workspace own = {memory, memory + words, numbers, numbers + room};
    memcpy(after, codes, (size_t)size);
    for (int64_t i = 0; i < texts; i++) {
        done[i] = perform(codes + starts[i], ends[i] - starts[i], plan, keys[i], &own, starts[i],
                          chosen + made, after + starts[i], written + made);
        made += done[i].edits;
    }
    free(memory);
    return made;
}

KERNEL(perturb_text,
       (const uint8_t *text, int64_t size, const Plan *plan, int has_key, uint64_t key,
        uint8_t *room),
       (text, size, plan, has_key, key, room))
KERNEL(perturb_texts,
       (const uint8_t *codes, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, const uint64_t *keys, const Plan *plan, uint8_t *after, int64_t *chosen,
        uint8_t *written, Done *done),
       (codes, size, starts, ends, texts, keys, plan, after, chosen, written, done))

INLINE int64_t perturb_read_rows_body(const uint8_t *lines, int64_t size, const uint8_t *text,
                                      int64_t text_size, const uint8_t *id, int64_t id_size,
                                      const uint8_t *record, int64_t record_size, uint8_t *out,
                                      Row *rows, int64_t room)
{
    Fields fields = {{text, text_size}, {id, id_size}, {record, record_size}};
    return read_rows(lines, size, &fields, out, rows, room);
}

KERNEL(perturb_read_rows,
       (const uint8_t *lines, int64_t size, const uint8_t *text, int64_t text_size,
        const uint8_t *id, int64_t id_size, const uint8_t *record, int64_t record_size,
        uint8_t *out, Row *rows, int64_t room),
       (lines, size, text, text_size, id, id_size, record, record_size, out, rows, room))

INLINE int64_t perturb_unquote_body(const uint8_t *codes, int64_t size, const int64_t *starts,
                                    const int64_t *ends, int64_t count, int wide, void *to,
                                    int64_t room, int64_t *text_ends)
{
    Column strings = {codes, starts, ends, size, count, 0};
    return unquote(&strings, wide, to, room, text_ends);
}

KERNEL(perturb_unquote,
       (const uint8_t *codes, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t count, int wide, void *to, int64_t room, int64_t *text_ends),
       (codes, size, starts, ends, count, wide, to, room, text_ends))
