/* Strings of JSON as texts: a byte for each character where all are ASCII, else four. */
#pragma once
#include "code_points.h"
#include "rows.h"

/* Write what a string says between its quotes, if that is ASCII; else NULL. */
INLINE uint8_t *unquoted_ascii(Reader *r, uint8_t *to)
{
    for (;;) {
        int64_t size = put_plain(to, r->at, r->end - r->at, 0x7F);
        r->at += size;
        to += size;
        if (r->at == r->end) return to;
        int32_t code = *r->at == '\\' ? code_of_escape(r) : -1;
        if (code < 0 || code > 0x7F) return NULL;
        *to++ = (uint8_t)code;
    }
}

/* The next code point of UTF-8; -1 if it is cut off, or there is no such code point. */
INLINE int32_t code_of_utf8(Reader *r)
{
    uint8_t lead = *r->at++;
    int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    if (r->end - r->at < more) return -1;
    int32_t code = more ? lead & 0x3F >> more : lead;
    while (more--) code = code << 6 | (*r->at++ & 0x3F);
    return code < CODE_POINTS ? code : -1;
}

/* Write what any string says between its quotes; NULL if it is none. */
INLINE uint32_t *unquoted_wide(Reader *r, uint32_t *to)
{
    while (r->at < r->end) {
        int32_t code = *r->at == '\\' ? code_of_escape(r) : code_of_utf8(r);
        if (code < 0) return NULL;
        *to++ = (uint32_t)code;
    }
    return to;
}

/* Write what each string says, with a separator on both sides, and where it ends; how many code
   points all are. Where they are not `wide`, those beyond ASCII are left out, and end at -1. */
KERNEL(perturb_unquote,
       (const uint8_t *codes, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t count, int wide, void *to, int64_t room, int64_t *text_ends),
       (codes, size, starts, ends, count, wide, to, room, text_ends))
{
    Column strings = {codes, starts, ends, size, count, 0};
    uint8_t *narrow_to = to;
    uint32_t *wide_to = to;
    int64_t at = 1;
    if (!in_range(&strings) || room < 1) return OUT_OF_RANGE;
    for (int64_t i = 0; i < count; i++) {
        int64_t start = starts[i] + 1, end = ends[i] - 1;
        if (end < start || end - start >= room - at) return OUT_OF_RANGE;
        Reader reader;
        reader.at = codes + start;
        reader.end = codes + end;
        if (wide) {
            uint32_t *last = unquoted_wide(&reader, wide_to + at);
            if (!last) return DECLINED;
            text_ends[i] = last - wide_to;
            *last = 0;
        } else {
            uint8_t *last = unquoted_ascii(&reader, narrow_to + at);
            text_ends[i] = last ? last - narrow_to : -1;
            if (!last) continue;
            *last = 0;
        }
        at = text_ends[i] + 1;
    }
    if (wide) wide_to[0] = 0;
    else narrow_to[0] = 0;
    return at;
}
