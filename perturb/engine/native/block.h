/* Blocks of rows: from lines of JSON to the texts in them, as the engine takes these, with keys and
   checks; and from the rows, their texts and edits to the lines of all versions. A row that is not
   usual is left to Python, alone. */
#pragma once
#include "checks.h"
#include "search.h"

/* The id of a row that has none: the digits of its key, and of the hash that keeps rows apart. */
#define TEXT_PREFIX "text:"
enum { KEY_DIGITS = 16, ROW_DIGITS = 12, CHECK_DIGITS = 8 };
enum { TEXT_ID = sizeof TEXT_PREFIX - 1 + KEY_DIGITS, ROW_ID = TEXT_ID + 1 + ROW_DIGITS };

/* What is read of lines; native/blocks.py makes room for it. */
typedef struct {
    uint8_t *json;     /* the rows, without space between values */
    Row *rows;         /* as many as there are lines */
    Found *found;      /* the texts of all rows, those of a row in the order of the paths */
    uint8_t *wide;     /* of each row, whether its texts are not all ASCII */
    int64_t *starts, *ends; /* of each text, among the codes of its kind */
    uint8_t *narrow_codes;  /* each with a separator on both sides */
    uint32_t *wide_codes;
    uint64_t *keys, *id_keys, *apart, *checks; /* of texts; of rows */
    int64_t *left;     /* of each line that is left: the rows before it, its number, start and end */
    int64_t most_texts, json_size, made_rows, made_texts, narrow_size, wide_size, made_left;
} Block;

/* What is hashed: the names of texts and rows, and the messages of rows. A name that needs no hash
   has its key in its place. */
typedef struct {
    uint8_t *names, *messages;
    int64_t names_size, names_room, messages_size, count;
    int64_t *name_starts, *name_ends, *name_of_text, *name_of_row, *edges;
    int32_t *slots; /* of the texts of a row, which are found there again */
} Hashed;

/* The key that an id made of a text says, and the hash of its row; whether it is one. */
INLINE int is_text_id(const uint8_t *id, int64_t size, uint64_t *key, uint64_t *apart)
{
    const uint8_t *digits = id + TEXT_ID - KEY_DIGITS, *dot = id + TEXT_ID;
    if (size != TEXT_ID && (size != ROW_ID || *dot != '.')) return 0;
    if (memcmp(id, TEXT_PREFIX, TEXT_ID - KEY_DIGITS) || !is_digits(digits, KEY_DIGITS, 'a', 0, key)) return 0;
    return size == TEXT_ID || is_digits(dot + 1, ROW_DIGITS, 'a', 0, apart);
}

INLINE uint8_t *put_name(uint8_t *to, Name name) { return put(to, name.start, name.size); }

INLINE uint8_t *put_path(uint8_t *to, const Path *path, const Found *text, int quoted)
{
    int list = 0;
    for (const Part *part = path->part; part < path->part + path->parts; part++) {
        if (part->kind != KEY) to = PUT(put_number(PUT(to, "["), text->index[list++]), "]");
        else to = put_name(part > path->part ? PUT(to, ".") : to, quoted ? part->quoted : part->key);
    }
    return list < text->lists ? PUT(put_number(PUT(to, "["), text->index[list]), "].text") : to;
}

/* More bytes than the path of a text takes. */
INLINE int64_t path_room(const Path *path)
{
    int64_t room = NUMBER_ROOM + sizeof "[].text";
    for (int i = 0; i < path->parts; i++)
        room += path->part[i].key.size + path->part[i].quoted.size + NUMBER_ROOM + 2;
    return room;
}

/* Write what stands between the quotes of a text; of a list its items, each a line. */
INLINE uint8_t *put_inside(uint8_t *to, const uint8_t *json, const Found *text)
{
    const uint8_t *at = json + text->start + 1, *end = json + text->end - 1;
    if (text->items <= STRING) return put(to, at, end - at);
    for (at++, end--; at < end; at++) {
        if (*at == '"') {
            to = PUT(to, "\\n");
            at += 2;
            continue;
        }
        if (*at == '\\') *to++ = *at++;
        *to++ = *at;
    }
    return to;
}

/* Take what a string says in UTF-8, up to its closing quote or the end; `to` may be `at`. */
INLINE void take_unquoted(Reader *r)
{
    for (take_plain(r); r->at < r->end && *r->at != '"'; take_plain(r))
        *r->to++ = (uint8_t)code_of_escape(r); /* take_string wrote it, so it is of ASCII */
}

/* Add a text to the message of its row, its size and a colon in front; where its bytes begin. */
INLINE uint8_t *put_message(Hashed *h, const uint8_t *json, const Found *text)
{
    Reader r;
    int quotes = 1 + (text->items > STRING); /* and the bracket of a list */
    reads(&r, json + text->start + quotes, json + text->end - quotes, NULL);
    uint8_t *at = h->messages + h->messages_size, *bytes = at + digits_of((uint64_t)(r.end - r.at)) + 1;
    r.to = bytes;
    for (take_unquoted(&r); r.at < r.end; take_unquoted(&r)) {
        r.at += sizeof "\",\"" - 1;
        *r.to++ = '\n';
    }
    int64_t size = r.to - bytes;
    at = PUT(put_number(at, size), ":");
    if (at < bytes) memmove(at, bytes, (size_t)size); /* escapes took a digit more */
    h->messages_size = at + size - h->messages;
    return at;
}

INLINE void put_codes(Block *b, int64_t text, const uint8_t *at, const uint8_t *end, int wide)
{
    if (wide) {
        b->starts[text] = b->wide_size;
        Reader r;
        reads(&r, at, end, NULL);
        while (r.at < r.end) {
            int64_t plain = ascii_of(r.at, r.end);
            for (int i = 0; plain && i < AT_ONCE; i++) b->wide_codes[b->wide_size + i] = r.at[i];
            b->wide_size += plain;
            r.at += plain;
            if (plain < AT_ONCE) b->wide_codes[b->wide_size++] = code_of_utf8(&r);
        }
        b->ends[text] = b->wide_size;
        b->wide_codes[b->wide_size++] = 0;
    } else {
        b->starts[text] = b->narrow_size;
        b->ends[text] = put(b->narrow_codes + b->narrow_size, at, end - at) - b->narrow_codes;
        b->narrow_size = b->ends[text];
        b->narrow_codes[b->narrow_size++] = 0;
    }
}

INLINE int64_t add_name(Hashed *h, const void *name, int64_t size)
{
    h->name_starts[h->count] = h->names_size;
    h->names_size = put(h->names + h->names_size, name, size) - h->names;
    h->name_ends[h->count] = h->names_size;
    return h->count++;
}

/* A text among the messages, where its places are until it is put among the codes. */
INLINE Name message_at(const Hashed *h, const Block *b, int64_t text)
{
    return (Name){h->messages + b->starts[text], b->ends[text] - b->starts[text]};
}

INLINE uint64_t rough_hash(const uint8_t *at, int64_t size)
{
    const uint64_t odd = 0x9E3779B97F4A7C15u;
    uint64_t hash = (uint64_t)size, words[2] = {0};
    for (; size > 0; at += 16, size -= 16) {
        if (size < 16) words[0] = words[1] = 0;
        memcpy(words, at, size < 16 ? (size_t)size : 16);
        unsigned __int128 product = (unsigned __int128)(hash ^ words[0]) * (odd ^ words[1]);
        hash = (uint64_t)product ^ (uint64_t)(product >> 64);
    }
    return hash;
}

/* Say of each text of a row which is the first that equals it; whether that takes a few steps for
   each, as it does unless someone chose them otherwise. */
INLINE int find_equal(Hashed *h, const Block *b, const Row *row)
{
    int64_t steps = 8 * row->texts + 64;
    uint64_t mask = 1;
    while (mask < 2 * (uint64_t)row->texts) mask *= 2;
    memset(h->slots, 0xFF, mask-- * sizeof *h->slots);
    for (int32_t i = 0; i < row->texts; i++) {
        h->name_of_text[row->first + i] = row->first + i;
        if (b->found[row->first + i].items == OTHER) continue;
        Name text = message_at(h, b, row->first + i);
        uint64_t slot_at = rough_hash(text.start, text.size) & mask;
        for (; h->slots[slot_at] >= 0; slot_at = (slot_at + 1) & mask) {
            Name other = message_at(h, b, row->first + h->slots[slot_at]);
            if (same_name(&text, &other)) break;
            if (!steps--) return 0;
        }
        int32_t *slot = h->slots + slot_at;
        if (*slot < 0) *slot = i;
        h->name_of_text[row->first + i] = row->first + *slot;
    }
    return 1;
}

/* Add the names that the keys of a row and its texts are hashed of; whether there is room. */
INLINE int add_names(Hashed *h, Block *b, const Fields *fields, const Row *row)
{
    const Name first = message_at(h, b, row->first);
    const uint8_t *name = b->json + row->id;
    int64_t size = row->id_end - row->id, of_row = -1;
    uint64_t key = 0, apart = 0;
    int is_named = row->id >= 0 && *name != 'n', several = 0;
    uint8_t of_text[TEXT_ID];
    for (int64_t i = row->first + 1; i < row->first + row->texts; i++)
        several |= b->found[i].items != OTHER;
    if (is_named && *name == '"') {
        Reader r;
        reads(&r, name + 1, b->json + row->id_end, h->messages + h->messages_size);
        name = r.to;
        take_unquoted(&r);
        size = r.to - name;
    }
    if (size + first.size > h->names_room - h->names_size) return 0;
    if (!is_named && several) { /* the name is of this text's key */
        key = key_of(first.start, first.size);
        put_digits(PUT(of_text, TEXT_PREFIX), key, KEY_DIGITS);
        name = of_text;
        size = TEXT_ID;
    } else if (!is_named) {
        of_row = add_name(h, first.start, first.size);
    } else if (is_text_id(name, size, &key, &apart)) {
        size = TEXT_ID;
    } else {
        of_row = add_name(h, name, size);
        apart = 0;
    }
    h->name_of_row[b->made_rows] = of_row;
    b->id_keys[b->made_rows] = key;
    b->apart[b->made_rows] = apart;
    for (int64_t i = row->first; i < row->first + row->texts; i++) {
        const Path *path = fields->path + b->found[i].path;
        int64_t equal = several ? h->name_of_text[i] : i;
        if (equal < i) {
            h->name_of_text[i] = h->name_of_text[equal];
            b->keys[i] = b->keys[equal];
            continue;
        }
        h->name_of_text[i] = of_row;
        b->keys[i] = key;
        if (!path->keyed || b->found[i].items < STRING || !(is_named || several)) continue;
        if (size + 1 + path_room(path) > h->names_room - h->names_size) return 0;
        h->name_of_text[i] = add_name(h, name, size);
        uint8_t *end = PUT(h->names + h->names_size, "\0");
        h->names_size = put_path(end, path, b->found + i, 0) - h->names;
        h->name_ends[h->count - 1] = h->names_size;
    }
    return 1;
}

/* Add the row that a line begins with, and pass over it; whether it is usual. */
INLINE int add_row(Reader *r, const Fields *fields, Block *b, Hashed *h)
{
    Row *row = b->rows + b->made_rows;
    Found *texts = b->found + b->made_texts;
    Hashed before = *h;
    const uint8_t *line = r->at;
    row->first = b->made_texts;
    if (!take_row(r, fields, b->json, row, texts, b->most_texts - b->made_texts)) return 0;
    if (!is_ascii(line, 0, 0, r->at - line) && !is_utf8(line, r->at)) return 0;
    uint8_t *message = h->messages + h->messages_size;
    for (int64_t i = 0; i < row->texts; i++) {
        if (texts[i].items == OTHER) continue;
        b->starts[row->first + i] = put_message(h, b->json, texts + i) - h->messages;
        b->ends[row->first + i] = h->messages_size;
    }
    if ((row->texts > 1 && !find_equal(h, b, row)) || !add_names(h, b, fields, row)) {
        *h = before;
        return 0;
    }
    int wide = !is_ascii(message, 0, 0, h->messages + h->messages_size - message);
    for (int64_t i = row->first; i < row->first + row->texts; i++)
        if (b->found[i].items >= STRING)
            put_codes(b, i, h->messages + b->starts[i], h->messages + b->ends[i], wide);
    b->wide[b->made_rows++] = (uint8_t)wide;
    b->made_texts += row->texts;
    h->edges[b->made_rows] = h->messages_size;
    return 1;
}

INLINE void hash(const Hashed *h, Block *b, KeysOf *with, uint64_t *hashes)
{
    with(h->names, h->names_size, h->name_starts, h->name_ends, h->count, hashes);
    for (int64_t i = 0; i < b->made_texts; i++)
        if (h->name_of_text[i] >= 0) b->keys[i] = hashes[h->name_of_text[i]];
    for (int64_t i = 0; i < b->made_rows; i++)
        if (h->name_of_row[i] >= 0) b->id_keys[i] = hashes[h->name_of_row[i]];
    checks_of(h->messages, h->messages_size, h->edges, h->edges + 1, b->made_rows, b->checks);
    int64_t unnamed = 0;
    for (int64_t i = 0; i < b->made_rows; i++) {
        const Row *row = b->rows + i;
        if (row->id >= 0 && b->json[row->id] != 'n') continue;
        h->name_starts[unnamed] = row->start;
        h->name_ends[unnamed] = row->end + 1;
        h->name_of_row[unnamed++] = i;
    }
    with(b->json, b->json_size, h->name_starts, h->name_ends, unnamed, hashes);
    for (int64_t i = 0; i < unnamed; i++)
        b->apart[h->name_of_row[i]] = hashes[i] & (((uint64_t)1 << 4 * ROW_DIGITS) - 1);
}

INLINE int read_lines(const uint8_t *lines, int64_t size, const Fields *fields, Block *b,
                      Hashed *h, int64_t room)
{
    Reader r;
    reads(&r, lines, lines + size, b->json);
    int64_t number = 0;
    for (const uint8_t *at = lines, *end = lines + size; at < end; number++) {
        if (number == room) return 0;
        uint8_t *to = r.to;
        b->rows[b->made_rows].line = number;
        if (!add_row(&r, fields, b, h)) {
            r.at = memchr(at, '\n', (size_t)(end - at));
            if (!r.at) r.at = end;
            int64_t one[] = {b->made_rows, number, at - lines, r.at - lines};
            memcpy(b->left + 4 * b->made_left++, one, sizeof one);
            r.to = to;
        }
        at = ++r.at;
    }
    b->json_size = r.to - b->json;
    return 1;
}

/* Read lines; how many rows are usual. `room` has a row, and an entry of `left`, for each line. */
INLINE int64_t read_with(KeysOf *with, const uint8_t *lines, int64_t size, const Fields *fields,
                         Block *b, int64_t room)
{
    if (fields->paths < 1 || fields->paths > MOST_PATHS) return OUT_OF_RANGE;
    size_t texts = (size_t)b->most_texts, rows = (size_t)room, bytes = (size_t)size;
    Hashed h = {.names_room = 2 * size + (1 << 16)};
    int64_t *numbers = malloc((4 * texts + 5 * rows + 1) * sizeof *numbers);
    h.names = malloc((size_t)h.names_room);
    h.messages = malloc(2 * bytes + 64);
    h.slots = malloc((2 * texts + 4) * sizeof *h.slots);
    int64_t made = numbers && h.names && h.messages && h.slots ? 0 : NO_MEMORY;
    if (!made) {
        h.name_starts = numbers;
        h.name_ends = h.name_starts + texts + rows;
        h.name_of_text = h.name_ends + texts + rows;
        h.name_of_row = h.name_of_text + texts;
        h.edges = h.name_of_row + rows;
        h.edges[0] = 0;
        b->made_rows = b->made_texts = b->made_left = 0;
        b->narrow_size = b->wide_size = 1;
        b->narrow_codes[0] = 0;
        b->wide_codes[0] = 0;
        made = read_lines(lines, size, fields, b, &h, room) ? b->made_rows : OUT_OF_RANGE;
        if (made > 0) hash(&h, b, with, (uint64_t *)(h.edges + rows + 1));
    }
    free(numbers);
    free(h.names);
    free(h.messages);
    free(h.slots);
    return made;
}

KERNEL_OF(perturb_read_block,
       (const uint8_t *lines, int64_t size, const Fields *fields, Block *block, int64_t room),
       (lines, size, fields, block, room),
       read_with(keys_in_lanes, lines, size, fields, block, room),
       read_with(keys_one_by_one, lines, size, fields, block, room))

/* A version of all rows; the original has nothing `made`. */
typedef struct {
    Name suffix, condition, recipe; /* of ids, and of records, as they stand in a line */
    const Made *made;
    int64_t batches;
    const int32_t *batch, *place;      /* of each text: in which of `made`, and where there */
    const uint8_t *reasons, *expects;  /* of each row, as numbers of `Record` */
    Column values; /* of each value that is no text, the JSON now; nothing of one that stays */
} Version;

/* What stands in all lines: the id of a row that has none; the change of an id that is no string;
   and what of a record is before the original id, the original, `expect`, `edits` and `check`. */
typedef struct {
    Name id, id_change, original_id, original, expect, edits, check;
    const Name *reasons, *expects;
    int64_t reasons_known, expects_known, has_original;
} Record;

/* The id of a row as a string without the quote behind it. */
INLINE int64_t name_of(const Block *b, int64_t number, uint8_t *own, const uint8_t **name)
{
    const Row *row = b->rows + number;
    const uint8_t *json = b->json;
    int64_t size = row->id_end - row->id;
    *name = row->id < 0 ? own : json + row->id;
    if (row->id >= 0 && **name == '"') return size - 1;
    if (row->id < 0 || **name == 'n') {
        uint8_t *end = put_digits(PUT(own, "\"" TEXT_PREFIX), b->id_keys[number], KEY_DIGITS);
        size = put_digits(PUT(end, "."), b->apart[number], ROW_DIGITS) - own;
    } else
        size = put(PUT(own, "\""), *name, size) - own;
    *name = own;
    return size;
}

/* Whether the places of a row and its texts lie in the JSON, one behind the other. */
INLINE int is_row(const Row *row, const Block *block, const Fields *fields)
{
    const Found *found = block->found;
    int64_t at = row->start, id_size = row->id_end - row->id;
    int is_done = row->id < 0;
    if (at < 0 || row->end > block->json_size || row->first < 0 || row->texts < 1 ||
        row->texts > block->made_texts - row->first || (!is_done && (row->id < at || id_size < 1)))
        return 0;
    for (int64_t i = 0; i <= row->texts; i++) {
        const Found *in_place = found + row->first + i, *text = found + row->first;
        if (i < row->texts) {
            if (in_place->in_place < 0 || in_place->in_place >= row->texts) return 0;
            text += in_place->in_place;
            if (text->path < 0 || text->path >= fields->paths) return 0;
            const Path *path = fields->path + text->path;
            int64_t lists = lists_of(path), more = path->leads_to == TEXTS && lists < MOST_LISTS;
            if (text->lists < lists || text->lists > lists + more) return 0;
            if (leads_to_texts(path) && text->items < STRING + (path->leads_to == CHOICES)) return 0;
        }
        int64_t start = i < row->texts ? text->start : row->end;
        if (!is_done && row->id < start) {
            if (row->id < at || row->id_end > start) return 0;
            at = row->id_end;
            is_done = 1;
        }
        if (start < at || (i < row->texts && text->end < start + 2 - (text->items == OTHER))) return 0;
        at = i < row->texts ? text->end : start;
    }
    /* a number is copied behind a quote */
    return is_done && (row->id < 0 || id_size <= NUMBER_ROOM || block->json[row->id] == '"');
}

/* More bytes than a text takes after its edits, and these in the record; OUT_OF_RANGE where they do
   not lie in their arrays, DECLINED where the text holds half a surrogate. */
INLINE int64_t text_room(const Version *version, int64_t text, const Path *path, const Found *found)
{
    int32_t items = found->items;
    if (version->batch[text] < 0 || version->batch[text] >= version->batches) return OUT_OF_RANGE;
    const Made *made = version->made + version->batch[text];
    int64_t at = version->place[text];
    if (at < 0 || at >= made->before.count || at >= made->after.count) return OUT_OF_RANGE;
    int64_t room = edits_room(made, at), start = made->after.starts[at], end = made->after.ends[at];
    if (room < 0 || !is_inside(&made->after, at)) return OUT_OF_RANGE;
    for (int64_t i = start; items > STRING && i < end; i++) items -= code_at(&made->after, i) == '\n';
    if (items > 1 || items < STRING) return DECLINED;
    if (made->after.wide) {
        const uint32_t *codes = made->after.codes;
        int refused = 0;
        for (int64_t i = start; i < end; i++)
            refused |= (codes[i] - 0xD800 < 0x800) | (codes[i] >= CODE_POINTS);
        if (refused) return DECLINED;
    }
    if (path->leads_to == CHOICES)
        room += LONGEST_CHANGED * (found->end - found->start) +
                found->items * (path_room(path) + NUMBER_ROOM + 4);
    return room + 6 * (end - start) + 5 + path_room(path);
}

/* More bytes than another value takes, and what it was in the record. */
INLINE int64_t value_room(const Column *values, int64_t number, const Found *found, const Path *path)
{
    if (!values->count) return 0;
    if (number >= values->count || values->wide || !is_inside(values, number)) return OUT_OF_RANGE;
    return values->ends[number] - values->starts[number] +
           LONGEST_CHANGED * (found->end - found->start) + 2 + path_room(path);
}

/* Write a text, or its lines as the items of a list. */
INLINE uint8_t *put_items(uint8_t *to, const Column *texts, int64_t place, int32_t items)
{
    int is_list = items > STRING;
    to = is_list ? PUT(to, "[\"") : PUT(to, "\"");
    to = put_lines(to, texts, texts->starts[place], texts->ends[place], is_list);
    return is_list ? PUT(to, "\"]") : PUT(to, "\"");
}

/* Write JSON into a string of JSON, as the record has it. */
INLINE uint8_t *put_value(uint8_t *to, const uint8_t *at, const uint8_t *end)
{
    Reader r;
    reads(&r, at, end, NULL);
    while (r.at < r.end) {
        uint32_t code = code_of_utf8(&r);
        to = is_sign(code) && code != '=' ? put_hexadecimal(to, code) : put_code(to, code);
    }
    return to;
}

/* Where a line of a text ends. */
INLINE int64_t line_end(const Column *texts, int64_t place, int64_t at)
{
    while (at < texts->ends[place] && code_at(texts, at) != '\n') at++;
    return at;
}

/* Write of each option that is another now what it was, behind its path; `some` counts changes. */
INLINE uint8_t *put_options(uint8_t *to, const uint8_t *json, const Path *path, const Found *found,
                            const Made *made, int64_t place, int *some)
{
    const Column *before = &made->before, *after = &made->after;
    const uint8_t *at = json + found->start + 1, *last = json + found->end - 1;
    int64_t old = before->starts[place], now = after->starts[place];
    for (int32_t i = 0; i < found->items && at < last; i++) {
        const uint8_t *end = at + 1;
        while (end < last && *end != '"') end += 1 + (*end == '\\');
        int64_t old_end = line_end(before, place, old), now_end = line_end(after, place, now);
        int differs = old_end - old != now_end - now;
        for (; !differs && old < old_end; old++, now++)
            differs = code_at(before, old) != code_at(after, now);
        if (differs && end < last) {
            if ((*some)++) to = PUT(to, ";");
            to = PUT(put_number(PUT(put_path(to, path, found, 1), "["), i), "]=");
            to = put_value(to, at, end + 1);
        }
        old = old_end + 1;
        now = now_end + 1;
        at = end + 2;
    }
    return to;
}

/* Whether a version has changed a value that was found. */
INLINE int is_changed(const Version *version, const Fields *fields, const Found *found, int64_t at)
{
    if (!leads_to_texts(fields->path + found[at].path))
        return version->values.count && version->values.ends[at] > version->values.starts[at];
    const int64_t *edges = version->made[version->batch[at]].edges + version->place[at];
    return edges[0] < edges[1];
}

/* Write a version of a row. */
INLINE uint8_t *put_row(uint8_t *to, const Block *block, const Fields *fields,
                        const Record *record, const Version *version, int64_t number)
{
    uint8_t own[ROW_ID + NUMBER_ROOM];
    const uint8_t *name;
    const Row *row = block->rows + number;
    const Found *found = block->found;
    const uint8_t *json = block->json;
    int64_t name_size = name_of(block, number, own, &name), from = row->start, last = row->texts;
    int is_named = row->id >= 0 && json[row->id] != 'n', is_done = row->id < 0;
    for (int64_t i = 0; i <= last; i++) {
        int64_t at = row->first + (i < last ? found[row->first + i].in_place : 0);
        int64_t start = i < last ? found[at].start : row->end;
        if (!is_done && row->id < start) {
            to = put(to, json + from, row->id - from);
            to = put(to, name, name_size);
            to = put_name(to, version->suffix);
            from = row->id_end;
            is_done = 1;
        }
        if (i == last) to = put(to, json + from, row->end - from);
        if (i == last || !version->made || !is_changed(version, fields, found, at)) continue;
        const Column *values = &version->values;
        to = put(to, json + from, start - from);
        if (leads_to_texts(fields->path + found[at].path))
            to = put_items(to, &version->made[version->batch[at]].after, version->place[at],
                           found[at].items);
        else
            to = put(to, (const uint8_t *)values->codes + values->starts[at],
                     values->ends[at] - values->starts[at]);
        from = found[at].end;
    }
    if (row->id < 0) {
        to = put(put_name(to, record->id), name, name_size);
        to = put_name(to, version->suffix);
    }
    to = put(put_name(to, record->original_id), name, name_size);
    to = put_name(to, record->original);
    to = PUT(to, "\"");
    if (record->has_original) to = put_inside(to, json, found + row->first);
    to = PUT(to, "\"");
    to = put_name(to, version->condition);
    to = put_name(to, record->reasons[version->reasons[number]]);
    to = put_name(to, record->expect);
    to = put_name(to, record->expects[version->expects[number]]);
    to = put_name(to, record->edits);
    int some = !is_named || json[row->id] != '"';
    if (some) to = put_name(to, record->id_change);
    if (some && row->id >= 0) to = put(to, json + row->id, row->id_end - row->id);
    for (int64_t at = row->first; version->made && at < row->first + last; at++) {
        const Path *path = fields->path + found[at].path;
        if (!is_changed(version, fields, found, at)) continue;
        if (path->leads_to == CHOICES) {
            to = put_options(to, json, path, found + at, version->made + version->batch[at],
                             version->place[at], &some);
            continue;
        }
        if (some++) to = PUT(to, ";");
        to = put_path(to, path, found + at, 1);
        if (path->leads_to == TEXTS)
            to = put_edits(to, version->made + version->batch[at], version->place[at], 1);
        else
            to = put_value(PUT(to, "="), json + found[at].start, json + found[at].end);
    }
    to = put_digits(PUT(put_name(to, record->check), "x"), block->checks[number], CHECK_DIGITS);
    return put_name(to, version->recipe);
}

/* More bytes than all versions of a row take; OUT_OF_RANGE and DECLINED as `text_room` has them. */
INLINE int64_t row_room(const Row *row, const Found *found, const Fields *fields,
                        const Record *record, const Version *versions, int64_t count,
                        int64_t number)
{
    int64_t own = 2 * (row->end - row->start) + 4 * (row->id_end - row->id) + 8 * KEY_DIGITS;
    int64_t room = count * (own + record->id.size + record->id_change.size + 128 +
                            record->original_id.size + record->original.size + record->edits.size +
                            record->expect.size + record->check.size);
    for (const Version *version = versions; version < versions + count; version++) {
        int64_t reason = version->reasons[number], expect = version->expects[number];
        if (reason >= record->reasons_known || expect >= record->expects_known) return OUT_OF_RANGE;
        room += 2 * version->suffix.size + version->condition.size + version->recipe.size +
                record->reasons[reason].size + record->expects[expect].size;
        for (int64_t i = row->first; version->made && i < row->first + row->texts; i++) {
            const Path *path = fields->path + found[i].path;
            int64_t more = leads_to_texts(path)
                               ? text_room(version, i, path, found + i)
                               : value_room(&version->values, i, found + i, path);
            if (more < 0) return more;
            room += more;
        }
    }
    return room;
}

/* Write the lines of all versions of rows, from row `first` on, and where the last of each row ends;
   how many rows there is room for. */
KERNEL(perturb_write_block,
       (const Block *block, const Fields *fields, const Record *record, const Version *versions,
        int64_t count, int64_t first, uint8_t *to, int64_t room, int64_t *row_ends),
       (block, fields, record, versions, count, first, to, room, row_ends))
{
    uint8_t *at = to;
    int64_t i = first;
    for (; i < block->made_rows; i++) {
        const Row *row = block->rows + i;
        if (!is_row(row, block, fields)) return OUT_OF_RANGE;
        int64_t most = row_room(row, block->found, fields, record, versions, count, i);
        if (most < 0) return most;
        if (most > room - (at - to)) break;
        for (const Version *version = versions; version < versions + count; version++)
            at = put_row(at, block, fields, record, version, i);
        row_ends[i - first] = at - to;
    }
    return i - first;
}
