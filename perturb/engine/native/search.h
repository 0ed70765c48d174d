/* Texts in rows of JSON, found by paths: keys, [n], [-1], [*], [key=value], and behind it [0] or [-1].
   Values that no path leads to are passed over; where Python would raise an error, the row is left to it. */
#pragma once
#include "reader.h"

enum { MOST_PARTS = 8, MOST_PATHS = 9, MOST_LISTS = 4, MOST_DROPPED = 4096 };
/* What a part of a path selects, and what a path leads to: texts, as strings or as lists with an item a
   line; right answers that steps may write in; those that none does, strings of which are in the check
   as well; any values; options, which are texts too: lists of them; the id, which the last path leads
   to. native/blocks.py has them in this order. */
enum { KEY, ALL, INDEX, LAST, WHERE, WHERE_FIRST, WHERE_LAST };
enum { TEXTS, ANSWERS, SAID, VALUES, CHOICES, IDS };
/* In place of a number of items: a string that no step writes in, and any other value. */
enum { STRING = 0, SAID_STRING = -1, OTHER = -2 };
/* Parts of a message's content, which has either those of the first two kinds, or those of the third;
   and the types that texts have. */
#define TEXT_TYPES "\"text\"\0\"input_text\"\0\"output_text\"\0"
enum { NO_TEXT = 1, TYPED_TEXT = 2, TEXT_ALONE = 4, ODD_PART = 8 };

typedef struct {
    int64_t kind, index;
    Name key, value, quoted, in_json; /* the key as it is in edits, in a string of JSON; and in rows */
} Part;

typedef struct {
    Part part[MOST_PARTS];
    int64_t parts, keyed, leads_to; /* whether it is in the keys of its texts */
    int64_t optional, may_lack; /* from which part on keys may be absent; whether texts may be null */
    int64_t is_many; /* whether it may lead to several */
    Name whole; /* a key that is all of the path is meant before its parts */
} Path;

/* What rows are searched for: texts, an id, and records, which no row may have yet. */
typedef struct {
    Path path[MOST_PATHS];
    int64_t paths;
    Name record, flat_record;
} Fields;

/* A value that a path leads to: where it is in the JSON, and in the lists on its path, with one more
   for the text of a part of a message's content; which value of its row, in the order of the paths,
   is the one that stands in this one's place in the JSON; and of how many items it is a list. */
typedef struct {
    int64_t start, end;
    int32_t path, lists, index[MOST_LISTS], in_place, items;
} Found;

/* A row without the brace that closes it; its id, at -1 if it has none; the number of its line; and
   the values that were found in it. */
typedef struct {
    int64_t start, end, id, id_end, line, first, texts;
} Row;

/* A path, and how many of its parts lead here. */
typedef struct {
    int path, parts;
} Cursor;

typedef struct {
    Reader *r;
    const Fields *fields;
    const uint8_t *out;
    Row *row;
    Found *found;
    int64_t texts, room;
    uint32_t odd; /* the paths that Python may not follow */
    int32_t lists, index[MOST_LISTS];
    int is_inside;
} Search;

static int take_found(Search *s, const Cursor *c, int cursors, uint32_t chosen_by,
                      uint32_t *chosen);

INLINE int leads_to_texts(const Path *path)
{
    return path->leads_to == TEXTS || path->leads_to == CHOICES;
}

INLINE int64_t written_at(const Search *s) { return s->r->to - s->out; }

INLINE const Part *part_of(const Search *s, Cursor c)
{
    return s->fields->path[c.path].part + c.parts;
}

INLINE int64_t lists_of(const Path *path)
{
    int64_t lists = 0;
    for (int i = 0; i < path->parts; i++) lists += path->part[i].kind != KEY;
    return lists;
}

/* Forget the texts of a path among those from `from` to `to`; how many they are. */
static int64_t dropped(Search *s, int64_t from, int64_t to, int path)
{
    int64_t kept = from;
    for (int64_t i = from; i < s->texts; i++)
        if (i >= to || s->found[i].path != path) s->found[kept++] = s->found[i];
    int64_t lost = s->texts - kept;
    s->texts = kept;
    return lost;
}

/* Whether a value is that of [key=value]; -1 where Python writes it in some other way. */
INLINE int is_value(const uint8_t *at, int64_t size, const Name *value)
{
    if (*at == 'n') return 0;
    if (strchr("{[NI", *at)) return -1;
    if (*at == '-' || (uint8_t)(*at - '0') < 10) {
        int64_t sign = *at == '-', digits = digits_at(at + sign, at + size);
        if (digits < size - sign || size > NUMBER_ROOM || (sign && at[1] == '0')) return -1;
    }
    if (*at == '"') {
        at++;
        size -= 2;
        if (memchr(at, '\\', (size_t)size)) return -1;
    }
    return same_name(&(Name){at, size}, value);
}

/* Take the value of a key, which some of the paths may lead to. `chosen_by` has those whose part
   before is [key=value], and `chosen` gets those of them that it holds for. */
static int take_member(Search *s, const Cursor *c, int cursors, int is_top, uint32_t chosen_by,
                       uint32_t *chosen, uint32_t *seen)
{
    Reader *r = s->r;
    const Fields *fields = s->fields;
    const Name key = r->names[r->keys - 1];
    int64_t start = written_at(s);
    Cursor inside[MOST_PATHS];
    uint32_t asked = 0;
    int n = 0;
    for (int i = 0; i < cursors; i++) {
        const Path *path = fields->path + c[i].path;
        int is_whole = is_top && path->parts > 1 && same_name(&key, &path->whole);
        if (is_whole && lists_of(path)) return 0;
        if (chosen_by >> i & 1 && same_name(&key, &path->part[c[i].parts - 1].in_json)) asked |= 1u << i;
        if (!is_whole && !same_name(&key, &path->part[c[i].parts].in_json)) continue;
        if (*seen >> i & 1) return 0; /* a key that is all of the path, and its first part */
        inside[n++] = (Cursor){c[i].path, is_whole ? (int)path->parts : c[i].parts + 1};
        *seen |= 1u << i;
    }
    if (is_top && (same_name(&key, &fields->record) || same_name(&key, &fields->flat_record)))
        return 0;
    if (!(n ? take_found(s, inside, n, 0, NULL) : take_value(r))) return 0;
    for (int i = 0; asked >> i; i++) {
        if (!(asked >> i & 1)) continue;
        int is = is_value(s->out + start, written_at(s) - start, &part_of(s, c[i])[-1].value);
        if (is < 0) return 0;
        *chosen |= (uint32_t)is << i;
    }
    return 1;
}

static int take_object(Search *s, const Cursor *c, int cursors, uint32_t chosen_by,
                       uint32_t *chosen)
{
    Reader *r = s->r;
    int first = r->keys, is_top = !s->is_inside;
    uint32_t seen = 0;
    s->is_inside = 1;
    for (int more = take_opening(r, '}'); more; more = take_sign(r, ','))
        if (!take_key(r, first) || !take_member(s, c, cursors, is_top, chosen_by, chosen, &seen))
            return 0;
    r->keys = first;
    for (int i = 0; i < cursors; i++)
        if (!(seen >> i & 1) && c[i].parts < s->fields->path[c[i].path].optional)
            s->odd |= 1u << c[i].path;
    return take_sign(r, '}');
}

/* Take an element of a list, which some of the paths lead to. `from` is the first text of the list,
   `odd` the paths that were odd before it, and `taken` those that led to an element already. */
static int take_element(Search *s, const Cursor *c, int cursors, int64_t from, uint32_t odd,
                        int32_t index, uint32_t *taken)
{
    Cursor inside[MOST_PATHS];
    uint32_t chosen_by = 0, chosen = 0, odd_before = s->odd;
    int n = 0;
    for (int i = 0; i < cursors; i++) {
        const Part *part = part_of(s, c[i]);
        uint32_t own = 1u << c[i].path;
        if (part->kind == INDEX && part->index != index) continue;
        if (part->kind == LAST) dropped(s, from, s->texts, c[i].path);
        if (part->kind == LAST || part->kind >= WHERE) s->odd = (s->odd & ~own) | (odd & own);
        if (part->kind >= WHERE) chosen_by |= 1u << n;
        else *taken |= own;
        inside[n++] = (Cursor){c[i].path, c[i].parts + 1};
    }
    int64_t begun = s->texts;
    if (cursors > 1 && begun - from > MOST_DROPPED) return 0; /* they are looked through again */
    if (!(n ? take_found(s, inside, n, chosen_by, &chosen) : take_value(s->r))) return 0;
    for (int i = 0; chosen_by >> i; i++) {
        int path = inside[i].path;
        uint32_t own = 1u << path;
        if (!(chosen_by >> i & 1)) continue;
        int64_t kind = part_of(s, inside[i])[-1].kind;
        if (!(chosen >> i & 1) || (kind == WHERE_FIRST && *taken & own)) {
            dropped(s, begun, s->texts, path);
            s->odd = (s->odd & ~own) | (odd_before & own);
            continue;
        }
        if (kind == WHERE) s->odd |= odd_before & own;
        else if (*taken & own) begun -= dropped(s, from, begun, path);
        *taken |= own;
    }
    return 1;
}

static int take_list(Search *s, const Cursor *c, int cursors)
{
    Reader *r = s->r;
    uint32_t taken = 0, odd = s->odd;
    int64_t from = s->texts;
    int32_t level = s->lists++, index = 0;
    if (level == MOST_LISTS) return 0;
    for (int more = take_opening(r, ']'); more; more = take_sign(r, ',')) {
        s->index[level] = index;
        skip_space(r);
        if (!take_element(s, c, cursors, from, odd, index++, &taken)) return 0;
    }
    for (int i = 0; i < cursors; i++) {
        int64_t kind = part_of(s, c[i])->kind;
        if (!(taken >> c[i].path & 1) && kind != ALL && kind != WHERE) s->odd |= 1u << c[i].path;
    }
    s->lists--;
    return take_sign(r, ']');
}

/* Count the items of a list of strings of one line each; OTHER for any other value. */
static int32_t items_of(const uint8_t *at, const uint8_t *end)
{
    int32_t items = 0;
    if (*at != '[') return OTHER;
    for (at++; *at == '"'; at++) {
        for (at++; *at != '"'; at++)
            if (*at == '\\' && (*++at == 'n' || *at == 'r')) return OTHER;
        items++;
        if (*++at != ',') break;
    }
    return at + 1 == end && items ? items : OTHER;
}

/* Whether a name is one of those in a string, each with a NUL behind it. */
INLINE int is_one_of(const Name *name, const char *names)
{
    for (size_t size; (size = strlen(names)); names += size + 1)
        if (size == (size_t)name->size && !memcmp(name->start, names, size)) return 1;
    return 0;
}

/* Take a part of a message's content; what it is by records/text_field.py, 0 if it is no JSON. */
static int take_part(Reader *r, const uint8_t *out, Found *text)
{
    Name type = {out, 0}, said = {out, 0};
    int first = r->keys, is_odd = 0;
    for (int more = take_opening(r, '}'); more; more = take_sign(r, ',')) {
        if (!take_key(r, first)) return 0;
        const Name *key = r->names + r->keys - 1;
        const uint8_t *start = r->to;
        if (!take_value(r)) return 0;
        Name *own = is_one_of(key, "type\0") ? &type : is_one_of(key, "text\0") ? &said : NULL;
        is_odd |= own ? *start != '"' : is_one_of(key, "parameters\0input_schema\0inputSchema\0");
        if (own) *own = (Name){start, r->to - start};
    }
    int is_alone = said.size && r->keys == first + 1 && !is_odd;
    r->keys = first;
    text->start = said.start - out;
    text->end = text->start + said.size;
    if (!take_sign(r, '}')) return 0;
    if (is_alone) return TEXT_ALONE;
    if (is_odd || !type.size || is_one_of(&type, "\"function\"\0")) return ODD_PART;
    return said.size && is_one_of(&type, TEXT_TYPES) ? TYPED_TEXT : NO_TEXT;
}

/* Take a list, and find the texts in it if it is a message's content; whether it is JSON. `texts` gets
   their number, or -1. */
static int take_parts(Search *s, const Cursor *c, int cursors, Found text, int64_t *texts)
{
    int32_t kinds = 0, *index = text.index + text.lists++;
    *texts = 0;
    for (int more = take_opening(s->r, ']'); more; more = take_sign(s->r, ','), ++*index) {
        skip_space(s->r);
        int kind = is_next(s->r, '{') ? take_part(s->r, s->out, &text) : ODD_PART * take_value(s->r);
        if (!kind || s->room - s->texts < cursors) return 0;
        kinds |= kind;
        if (!(kind & (TYPED_TEXT | TEXT_ALONE))) continue;
        ++*texts;
        for (int i = 0; i < cursors; i++) {
            text.path = c[i].path;
            if (s->fields->path[text.path].leads_to == TEXTS) s->found[s->texts++] = text;
        }
    }
    if (!kinds || kinds > TEXT_ALONE) *texts = -1;
    return take_sign(s->r, ']');
}

/* Take a value, to which several paths may lead until it is known which of them choose it. */
static int take_end(Search *s, const Cursor *c, int cursors)
{
    Found value = {.start = written_at(s), .lists = s->lists};
    int64_t texts = -1;
    if (s->fields->path[c[cursors - 1].path].leads_to == IDS) {
        s->row->id = value.start;
        int is_id = cursors == 1 && take_id(s->r);
        s->row->id_end = written_at(s);
        return is_id;
    }
    int is_string = is_next(s->r, '"'), is_null = is_next(s->r, 'n');
    memcpy(value.index, s->index, (size_t)s->lists * sizeof *s->index);
    int in_parts = is_next(s->r, '[') && s->lists < MOST_LISTS;
    if (!(in_parts ? take_parts(s, c, cursors, value, &texts) : take_value(s->r))) return 0;
    if (s->room - s->texts < cursors) return 0;
    value.end = written_at(s);
    for (int i = 0; i < cursors; i++) {
        const Path *path = s->fields->path + c[i].path;
        int64_t leads_to = path->leads_to;
        int is_taken = path->is_many ? texts >= 0 : texts == 1;
        if (is_null ? path->may_lack : is_taken && leads_to == TEXTS) continue;
        value.path = c[i].path;
        int are_texts = leads_to_texts(path);
        value.items = !is_string || leads_to >= VALUES ? OTHER : leads_to == SAID ? SAID_STRING : STRING;
        if (are_texts && !is_string)
            value.items = items_of(s->out + value.start, s->out + value.end);
        if (are_texts && value.items == OTHER) s->odd |= 1u << c[i].path;
        else s->found[s->texts++] = value;
    }
    return 1;
}

/* Take a value that paths lead to. They nest as deep as these are long, whatever the row holds. */
static int take_found(Search *s, const Cursor *c, int cursors, uint32_t chosen_by,
                      uint32_t *chosen)
{
    int ending = 0, keys = 0;
    for (int i = 0; i < cursors; i++) {
        int ends = c[i].parts == s->fields->path[c[i].path].parts;
        ending += ends;
        keys += !ends && part_of(s, c[i])->kind == KEY;
    }
    if (ending && ending < cursors) return 0;
    if (ending) return take_end(s, c, cursors);
    if (keys == cursors && is_next(s->r, '{')) return take_object(s, c, cursors, chosen_by, chosen);
    if (!ending && !keys && is_next(s->r, '[')) return take_list(s, c, cursors);
    for (int i = 0; i < cursors; i++) s->odd |= 1u << c[i].path;
    return take_value(s->r);
}

/* Put the texts of a row into the order of the paths, and say where each was. There is room for as
   many behind them. */
static void sort_by_path(const Fields *fields, Found *found, int64_t texts)
{
    Found *sorted = found + texts;
    int64_t made = 0;
    for (int path = 0; path < fields->paths; path++)
        for (int64_t i = 0; i < texts; i++)
            if (found[i].path == path) {
                found[i].in_place = (int32_t)made;
                sorted[made++] = found[i];
            }
    for (int64_t i = 0; i < texts; i++) {
        int32_t in_place = found[i].in_place;
        found[i] = sorted[i];
        found[i].in_place = in_place;
    }
}

/* Take the row that a line holds, and find its texts, of which there may be `room`; whether it is usual. */
static int take_row(Reader *r, const Fields *fields, const uint8_t *out, Row *row, Found *found,
                    int64_t room)
{
    Search s = {.r = r, .fields = fields, .out = out, .row = row, .found = found, .room = room / 2};
    Cursor c[MOST_PATHS];
    for (int i = 0; i < fields->paths; i++) c[i] = (Cursor){i, 0};
    row->start = r->to - out;
    row->id = row->id_end = -1;
    r->keys = 0;
    skip_space(r);
    if (!is_next(r, '{') || !take_object(&s, c, (int)fields->paths, 0, NULL)) return 0;
    row->end = r->to - out - 1;
    row->texts = s.texts;
    skip_space(r);
    if ((r->at < r->end && *r->at != '\n') || s.odd || !s.texts) return 0;
    for (int64_t i = 1; i < s.texts; i++)
        if (found[i].start < found[i - 1].end) return 0; /* of two paths */
    sort_by_path(fields, found, s.texts);
    return leads_to_texts(fields->path + found->path);
}
