/* Rows as they were before their steps, from the lines that `perturb_write_block` wrote without their
   records. A row that is not usual, or does not hold what its record says, is left to Python. */
#pragma once
#include "block.h"

/* As many digits as a place in a text has at most. */
enum { PLACE_DIGITS = 9 };

/* Of each row its changes, in UTF-8; the end of ids, with the quote behind; what changes call it. */
typedef struct {
    Column changes;
    Name suffix, id;
} Said;

/* Find the changes of a row's values, in `own`, and of its id; whether they are in order, and no more. */
INLINE int find_changes(const Block *b, const Fields *fields, const Said *said, int64_t number,
                        Name *own, Name *id, uint8_t *scratch)
{
    const Row *row = b->rows + number;
    const uint8_t *at = (const uint8_t *)said->changes.codes, *end = at + said->changes.ends[number];
    int64_t text = 0;
    Reader r;
    for (int64_t i = 0; i < row->texts; i++) own[i].size = 0;
    at += said->changes.starts[number];
    for (int more = at < end; more;) {
        const uint8_t *stop = memchr(at, ';', (size_t)(end - at)), *sign = at;
        more = stop != NULL;
        if (!stop) stop = end;
        while (sign < stop && *sign != '|' && *sign != '=') sign++;
        if (sign == stop) return 0;
        Name head = {at, sign - at}, path = {scratch, 0};
        at = stop + more;
        if (*sign == '=' && !id->start && same_name(&head, &said->id)) {
            *id = (Name){sign + 1, stop - sign - 1};
            continue;
        }
        do {
            if (text == row->texts) return 0;
            const Found *found = b->found + row->first + text++;
            reads(&r, scratch, put_path(scratch, fields->path + found->path, found, 1), scratch);
            take_unquoted(&r);
            path.size = r.to - scratch;
        } while (!same_name(&head, &path));
        own[text - 1] = (Name){sign, stop - sign};
    }
    return 1;
}

/* Take what an edit removed or wrote, up to a sign of the grammar; whether it is UTF-8. */
INLINE int take_changed(Reader *r, Name *made)
{
    uint64_t code;
    made->start = r->to;
    for (; r->at < r->end && *r->at != '|' && *r->at != '>'; *r->to++ = (uint8_t)code) {
        code = *r->at++;
        if (code != '%') continue;
        if (r->end - r->at < 2 || !is_digits(r->at, 2, 'A', 0, &code)) return 0;
        r->at += 2;
    }
    made->size = r->to - made->start;
    return is_utf8(made->start, r->to);
}

/* Take an edit, START:OLD>NEW behind a bar; whether it is one. */
INLINE int take_edit(Reader *r, int64_t *start, Name *old, Name *new)
{
    int64_t digits = digits_at(++r->at, r->end);
    if (digits < 1 || digits > PLACE_DIGITS) return 0;
    for (*start = 0; digits--; r->at++) *start = *start * 10 + *r->at - '0';
    if (!is_next(r, ':')) return 0;
    r->at++;
    if (!take_changed(r, old) || !is_next(r, '>')) return 0;
    r->at++;
    return take_changed(r, new) && !is_next(r, '>') && !same_name(old, new);
}

/* Write a text as it was before its edits; NULL where it does not hold what they wrote. */
INLINE uint8_t *put_before(uint8_t *to, const Column *texts, int64_t text, int is_list,
                           const Name *edits, uint8_t *scratch)
{
    int64_t at = texts->starts[text], end = texts->ends[text], from = at, start;
    Name old, new;
    Reader r, part;
    reads(&r, edits->start, edits->start + edits->size, scratch);
    to = is_list ? PUT(to, "[\"") : PUT(to, "\"");
    while (r.at < r.end) {
        r.to = scratch;
        if (!take_edit(&r, &start, &old, &new)) return NULL;
        if (from + start < at || from + start > end) return NULL;
        to = put_lines(to, texts, at, from + start, is_list);
        at = from + start;
        reads(&part, new.start, new.start + new.size, NULL);
        for (; part.at < part.end; from++)
            if (at == end || code_at(texts, at++) != code_of_utf8(&part)) return NULL;
        reads(&part, old.start, old.start + old.size, NULL);
        for (; part.at < part.end; from--) {
            uint32_t code = code_of_utf8(&part);
            to = is_list && code == '\n' ? PUT(to, "\",\"") : put_code(to, code);
        }
    }
    to = put_lines(to, texts, at, end, is_list);
    return is_list ? PUT(to, "\"]") : PUT(to, "\"");
}

/* Write the value that a change says stood there; NULL where it is none. */
INLINE uint8_t *put_other(uint8_t *to, const Name *change, uint8_t *scratch)
{
    Name value;
    Reader r;
    reads(&r, change->start + 1, change->start + change->size, scratch);
    if (!take_changed(&r, &value) || r.at < r.end) return NULL;
    reads(&r, scratch, r.to, to);
    return take_value(&r) && r.at == r.end ? r.to : NULL;
}

/* Put what stood in place of an id into `id`, and from where to where; whether that is clear. */
INLINE int find_id(const Block *b, const Fields *fields, const Said *said, const Row *row, Name *id,
                   int64_t *start, int64_t *end, uint8_t *scratch)
{
    const uint8_t *json = b->json;
    *start = row->id;
    *end = row->id_end;
    if (!id->start) { /* it was a string */
        *start = *end - said->suffix.size;
        if (*start <= row->id || json[row->id] != '"' ||
            memcmp(json + *start, said->suffix.start, (size_t)said->suffix.size))
            return 0;
        --*end;
    } else if (id->size) {
        Reader r;
        reads(&r, id->start, id->start + id->size, scratch);
        return *r.at != '"' && take_id(&r) && r.at == r.end;
    } else { /* there was none, so it goes with its key, and a comma before or behind it */
        const Path *path = fields->path + fields->paths - 1;
        *start -= path->whole.size + 4;
        if (path->parts > 1 || *start < row->start) return 0;
        if (json[*start] == ',') return 1;
        ++*start;
        return *end < row->end && json[(*end)++] == ',';
    }
    return 1;
}

/* Write a row as it was, and in `own` where its texts are; NULL where it is left. */
INLINE uint8_t *put_original(uint8_t *to, const Block *b, const Fields *fields, const Said *said,
                             int64_t number, Name *own, uint8_t *scratch)
{
    const Row *row = b->rows + number;
    const Found *found = b->found + row->first;
    int is_wide = b->wide[number], is_done = 0;
    Column texts = {is_wide ? (void *)b->wide_codes : b->narrow_codes, b->starts, b->ends,
                    is_wide ? b->wide_size : b->narrow_size, b->made_texts, is_wide};
    Name id = {NULL, 0};
    int64_t id_start, id_end, from = row->start;
    if (row->id < 0 || !find_changes(b, fields, said, number, own, &id, scratch)) return NULL;
    if (!find_id(b, fields, said, row, &id, &id_start, &id_end, scratch)) return NULL;
    for (int64_t i = 0; i <= row->texts; i++) {
        int64_t at = i < row->texts ? found[i].in_place : 0;
        int64_t start = i < row->texts ? found[at].start : row->end;
        if (!is_done && row->id < start) {
            if (id_start < from) return NULL;
            to = put_name(put(to, b->json + from, id_start - from), id);
            from = id_end;
            is_done = 1;
        }
        if (start < from) return NULL;
        to = put(to, b->json + from, start - from);
        if (i == row->texts) break;
        uint8_t *begun = to;
        from = found[at].end;
        if (!own[at].size) to = put(to, b->json + start, from - start);
        else if (*own[at].start == '|' && found[at].items >= STRING)
            to = put_before(to, &texts, row->first + at, found[at].items > STRING, own + at, scratch);
        else if (*own[at].start == '|' || fields->path[found[at].path].leads_to == TEXTS) return NULL;
        else to = put_other(to, own + at, scratch);
        if (!to) return NULL;
        own[at] = (Name){begun, to - begun};
    }
    return PUT(to, "}\n");
}

/* More bytes than a row takes as it was; OUT_OF_RANGE where parts do not lie in their arrays. */
INLINE int64_t original_room(const Block *b, const Fields *fields, const Said *said, int64_t number)
{
    const Row *row = b->rows + number;
    if (!is_row(row, b, fields)) return OUT_OF_RANGE;
    int64_t room = 6 * (said->changes.ends[number] - said->changes.starts[number]);
    for (int64_t i = row->first; i < row->first + row->texts; i++) {
        int64_t size = b->wide[number] ? b->wide_size : b->narrow_size;
        if (b->found[i].items < STRING) continue;
        if (b->starts[i] < 0 || b->ends[i] < b->starts[i] || b->ends[i] > size) return OUT_OF_RANGE;
        room += 6 * (b->ends[i] - b->starts[i]) + 4;
    }
    return room + row->end - row->start + 2;
}

/* Write rows as they were, where each ends, which is its start if it is left, and perhaps checks. */
KERNEL(perturb_restore_block,
       (const Block *block, const Fields *fields, const Said *said, uint8_t *to, int64_t room,
        int64_t *row_ends, uint64_t *checks),
       (block, fields, said, to, room, row_ends, checks))
{
    const Column *changes = &said->changes;
    const uint8_t *codes = changes->codes;
    int64_t rows = block->made_rows, most = changes->size, texts = block->made_texts;
    uint8_t *at = to;
    if (changes->wide || changes->count < rows || !in_range(changes)) return OUT_OF_RANGE;
    if (!is_utf8(codes, codes + changes->size)) return OUT_OF_RANGE;
    for (int i = 0; i < fields->paths; i++) most += path_room(fields->path + i);
    uint8_t *scratch = malloc((size_t)most + 64);
    Name *own = malloc(((size_t)texts + 1) * sizeof *own);
    Hashed h = {.edges = malloc(((size_t)rows + 1) * sizeof *h.edges)};
    if (checks) h.messages = malloc((size_t)(room + texts * (NUMBER_ROOM + 2)) + 64);
    if (!scratch || !own || !h.edges || (checks && !h.messages)) rows = NO_MEMORY;
    else h.edges[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t own_room = original_room(block, fields, said, i);
        if (own_room < 0 || own_room > room - (at - to)) {
            rows = OUT_OF_RANGE;
            break;
        }
        uint8_t *end = put_original(at, block, fields, said, i, own, scratch);
        const Row *row = block->rows + i;
        for (int64_t j = 0; end && checks && j < row->texts; j++) {
            Found text = block->found[row->first + j];
            text.start = own[j].start - to;
            text.end = text.start + own[j].size;
            int64_t leads_to = fields->path[text.path].leads_to;
            int is_string = own[j].size > 1 && *own[j].start == '"';
            if (leads_to == TEXTS || (leads_to != VALUES && is_string)) put_message(&h, to, &text);
        }
        if (end) at = end;
        row_ends[i] = at - to;
        h.edges[i + 1] = h.messages_size;
    }
    if (rows > 0 && checks)
        checks_of(h.messages, h.messages_size, h.edges, h.edges + 1, rows, checks);
    free(scratch);
    free(own);
    free(h.edges);
    free(h.messages);
    return rows;
}
