/* Values of JSON, read without a Python object for each. Whatever is not quite usual is left to the
   parsers of Python: errors, keys that come twice. Numbers stay as they stand, and so do those of
   Python that JSON has not. */
#pragma once
#include "json.h"

/* Objects and lists in each other, and keys that are open at a time. */
enum { DEEPEST = 64, MOST_KEYS = 256 };

typedef struct {
    const uint8_t *start;
    int64_t size;
} Name;

/* Reads between `at` and `end`, and writes to `to`, which is never farther from its start. */
typedef struct {
    const uint8_t *at, *end;
    uint8_t *to;
    int keys;
    Name names[MOST_KEYS];
} Reader;

INLINE void reads(Reader *r, const uint8_t *at, const uint8_t *end, uint8_t *to)
{
    r->at = at;
    r->end = end;
    r->to = to;
    r->keys = 0;
}

INLINE int is_next(const Reader *r, uint8_t code) { return r->at < r->end && *r->at == code; }

INLINE void skip_space(Reader *r)
{
    while (is_next(r, ' ') || is_next(r, '\t') || is_next(r, '\r')) r->at++;
}

INLINE void take(Reader *r, int64_t size)
{
    memcpy(r->to, r->at, (size_t)size);
    r->at += size;
    r->to += size;
}

/* Take a bracket, and the space behind it; whether it is not closed there. */
INLINE int take_opening(Reader *r, uint8_t closing)
{
    take(r, 1);
    skip_space(r);
    return !is_next(r, closing);
}

/* Take a character, with the space before it. */
INLINE int take_sign(Reader *r, uint8_t code)
{
    skip_space(r);
    if (!is_next(r, code)) return 0;
    take(r, 1);
    return 1;
}

/* Take what stands for itself in a string. */
INLINE void take_plain(Reader *r)
{
    int64_t size = put_plain(r->to, r->at, r->end - r->at, 0xFF);
    r->at += size;
    r->to += size;
}

/* Whether hexadecimal digits are next, with letters from `ten` on, 'a' or 'A', or from either where
   `fold` is 0x20; and the number that they stand for. */
INLINE int is_digits(const uint8_t *at, int digits, uint8_t ten, uint8_t fold, uint64_t *number)
{
    for (*number = 0; digits--; at++) {
        uint8_t digit = (uint8_t)(*at - '0'), letter = (uint8_t)((*at | fold) - ten);
        if (digit > 9 && letter > 5) return 0;
        *number = *number << 4 | (digit > 9 ? letter + 10u : digit);
    }
    return 1;
}

/* Take the four digits of an escape \u that is next; whether it is one. */
INLINE int take_unit(Reader *r, uint64_t *unit)
{
    if (r->end - r->at < 6 || r->at[0] != '\\' || r->at[1] != 'u') return 0;
    r->at += 6;
    return is_digits(r->at - 4, 4, 'a', 0x20, unit);
}

/* The code point of an escape \u at `at`, or of two that are one; -1 if it is none. */
INLINE int32_t escaped_code(Reader *r)
{
    uint64_t code, low;
    if (!take_unit(r, &code)) return -1;
    if (code < 0xD800 || code > 0xDFFF) return (int32_t)code;
    if (code > 0xDBFF || !take_unit(r, &low) || low < 0xDC00 || low > 0xDFFF) return -1;
    return (int32_t)(0x10000 + ((code - 0xD800) << 10) + low - 0xDC00);
}

/* The code point of an escape, whose backslash is next; -1 if it is none. */
INLINE int32_t code_of_escape(Reader *r)
{
    static const uint8_t short_forms[256] = {['n'] = '\n', ['t'] = '\t', ['r'] = '\r', ['b'] = '\b',
                                             ['f'] = '\f', ['"'] = '"', ['\\'] = '\\', ['/'] = '/'};
    if (r->end - r->at < 2) return -1;
    if (r->at[1] == 'u') return escaped_code(r);
    uint8_t code = short_forms[r->at[1]];
    r->at += 2;
    return code ? code : -1;
}

INLINE int take_escape(Reader *r)
{
    const uint8_t *at = r->at;
    int32_t code = code_of_escape(r);
    if (code < 0) return 0;
    if (at[1] == 'u' || at[1] == '/') r->to = put_code(r->to, (uint32_t)code);
    else r->to = put(r->to, at, 2); /* as it stands */
    return 1;
}

INLINE int take_string(Reader *r)
{
    if (!is_next(r, '"')) return 0;
    take(r, 1);
    for (;;) {
        take_plain(r);
        if (is_next(r, '"')) {
            take(r, 1);
            return 1;
        }
        if (!is_next(r, '\\') || !take_escape(r)) return 0;
    }
}

INLINE int64_t digits_at(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *first = at;
    while (at < end && (uint8_t)(*at - '0') < 10) at++;
    return at - first;
}

/* Take a number as it stands; where `only_whole`, one that is named by its digits. */
INLINE int take_number(Reader *r, int only_whole)
{
    const uint8_t *at = r->at + is_next(r, '-'), *whole;
    int64_t digits = digits_at(at, r->end);
    if (!digits || (*at == '0' && (digits > 1 || (only_whole && at > r->at)))) return 0;
    whole = at += digits;
    if (at < r->end && *at == '.') at += 1 + (digits = digits_at(at + 1, r->end));
    if (digits && at < r->end && (*at | 0x20) == 'e') {
        at += 1 + (at + 1 < r->end && (at[1] == '-' || at[1] == '+'));
        at += digits = digits_at(at, r->end);
    }
    if (!digits || (only_whole && (at > whole || at - r->at > NUMBER_ROOM))) return 0;
    take(r, at - r->at);
    return 1;
}

INLINE int take_word(Reader *r, const char *word, int64_t size)
{
    if (r->end - r->at < size || memcmp(r->at, word, (size_t)size)) return 0;
    take(r, size);
    return 1;
}

INLINE int take_scalar(Reader *r)
{
    if (r->at == r->end) return 0;
    switch (*r->at) {
    case '"': return take_string(r);
    case 't': return take_word(r, "true", 4);
    case 'f': return take_word(r, "false", 5);
    case 'n': return take_word(r, "null", 4);
    case 'N': return take_word(r, "NaN", 3);
    case 'I': return take_word(r, "Infinity", 8);
    default: return take_number(r, 0) || take_word(r, "-Infinity", 9);
    }
}

INLINE int same_name(const Name *a, const Name *b)
{
    return a->size == b->size && !memcmp(a->start, b->start, (size_t)a->size);
}

/* Take a key with the colon after it, which is none of those from `first` on. */
INLINE int take_key(Reader *r, int first)
{
    skip_space(r);
    if (r->keys == MOST_KEYS) return 0;
    Name *key = r->names + r->keys;
    key->start = r->to + 1;
    if (!take_string(r)) return 0;
    key->size = r->to - 1 - key->start;
    for (int i = first; i < r->keys; i++)
        if (same_name(r->names + i, key)) return 0;
    r->keys++;
    if (!take_sign(r, ':')) return 0;
    skip_space(r);
    return 1;
}

/* Take any value. */
INLINE int take_value(Reader *r)
{
    uint8_t closing[DEEPEST];
    int first_keys[DEEPEST], depth = 0;
    for (;;) {
        skip_space(r);
        if (is_next(r, '{') || is_next(r, '[')) {
            if (depth == DEEPEST) return 0;
            closing[depth] = (uint8_t)(*r->at + 2);
            first_keys[depth++] = r->keys;
            if (take_opening(r, closing[depth - 1])) {
                if (closing[depth - 1] == '}' && !take_key(r, r->keys)) return 0;
                continue;
            }
        } else if (!take_scalar(r)) {
            return 0;
        }
        for (;; r->keys = first_keys[--depth]) {
            if (!depth) return 1;
            if (take_sign(r, ',')) break;
            if (!take_sign(r, closing[depth - 1])) return 0;
        }
        if (closing[depth - 1] == '}' && !take_key(r, first_keys[depth - 1])) return 0;
    }
}

INLINE int take_id(Reader *r)
{
    if (is_next(r, '"')) return take_string(r);
    return is_next(r, 'n') ? take_word(r, "null", 4) : take_number(r, 1);
}

/* The next code point of UTF-8. */
INLINE uint32_t code_of_utf8(Reader *r)
{
    uint8_t lead = *r->at++;
    if (lead < 0x80) return lead;
    if (lead < 0xE0) return (lead & 0x1F) << 6 | (*r->at++ & 0x3F);
    int more = lead < 0xF0 ? 2 : 3;
    uint32_t code = lead & 0x3F >> more;
    while (more--) code = code << 6 | (*r->at++ & 0x3F);
    return code;
}

/* How many of the next bytes are ASCII, at most AT_ONCE; 0 too where no more than these are left. */
INLINE int64_t ascii_of(const uint8_t *at, const uint8_t *end)
{
    uint64_t word;
    if (end - at <= AT_ONCE) return 0;
    memcpy(&word, at, AT_ONCE);
    word &= 0x8080808080808080u;
    return word ? __builtin_ctzll(word) / 8 : AT_ONCE;
}

/* Whether bytes are UTF-8, and nothing in it is longer than it need be, or half a surrogate. */
INLINE int is_utf8(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        int64_t plain = ascii_of(at, end);
        at += plain;
        if (plain == AT_ONCE) continue;
        uint8_t lead = *at++;
        if (lead < 0x80) continue;
        int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        if (lead < 0xC2 || lead > 0xF4 || end - at < more) return 0;
        uint8_t least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (*at < least || *at > most) return 0;
        for (; more; more--) if ((*at++ & 0xC0) != 0x80) return 0;
    }
    return 1;
}
