/* Runs of stops, what follows them, and which of them end a sentence; the clauses that ask. */
#pragma once
#include "edits.h"

/* Classes of characters, as perturb/engine/text/sentences.py has them; NUL is in none. */
enum {
    STOP = 1, CLOSER = 2, BLANK = 4, OPENER = 8, STRONG = 16, GO_ON = 32, SMALL = 64, CAPITAL = 128,
    A_LETTER = 256, A_DIGIT = 512, LINE_END = 1024, SPACE = 2048, IN_LETTERS = 4096, SOFT = 8192
};
enum { TITLE_WORD = 1, NUMBER_WORD, START_WORD };
#define LONGEST_BOUND 9 /* one more than the longest abbreviation has letters */
#define LONGEST_LABEL 3
#define INDENT 8

/* Words in the order of their hashes, each of nine code points. */
typedef struct {
    const uint64_t *hashes;
    const uint32_t *words;
    const uint8_t *kinds;
    int64_t size;
} Boundaries;

/* The highest twelve bits of hashes that a table has, a bit for each: hardly any word has them. */
typedef struct {
    uint64_t bits[64];
} Sieve;

INLINE Sieve sieve_of(const Boundaries *table)
{
    Sieve made = {{0}};
    for (int64_t i = 0; i < table->size; i++)
        made.bits[table->hashes[i] >> 58] |= (uint64_t)1 << (table->hashes[i] >> 52 & 63);
    return made;
}

typedef struct {
    const void *codes;
    const uint16_t *classes;
    int wide;
} Classed;

INLINE uint32_t code_of(const Classed *text, int64_t at)
{
    return text->wide ? ((const uint32_t *)text->codes)[at] : ((const uint8_t *)text->codes)[at];
}

INLINE int is_of(const Classed *text, int64_t at, int classes)
{
    return text->classes[code_of(text, at)] & classes;
}

INLINE int64_t past(const Classed *text, int64_t at, int classes)
{
    while (is_of(text, at, classes)) at++;
    return at;
}

/* The next place of a class, or `end`; eight at once, for which there is one branch. */
INLINE int64_t next_in(const Classed *text, int64_t at, int64_t end, int classes)
{
    for (int any = 0; at + 8 <= end; at += 8) {
        for (int i = 0; i < 8; i++) any |= is_of(text, at + i, classes);
        if (any) break;
    }
    while (at < end && !is_of(text, at, classes)) at++;
    return at;
}

/* The letters from a place on, and before it the stops between them; how many they are. */
INLINE int letters_from(const Classed *text, int64_t at, int step, uint32_t *letters)
{
    int count = 0;
    memset(letters, 0, LONGEST_BOUND * sizeof *letters);
    for (; count < LONGEST_BOUND; count++, at += step) {
        if (!is_of(text, at, IN_LETTERS) && !(step < 0 && code_of(text, at) == '.')) break;
        letters[count] = code_of(text, at);
    }
    return count;
}

/* The kind of a word; 0 for one that is not in the table. */
INLINE int kind_of(const Boundaries *table, const Sieve *sieve, const uint32_t *letters)
{
    uint64_t hash = 0;
    int64_t low = 0, high = table->size;
    for (int i = 0; i < LONGEST_BOUND; i++) hash = hash * 0x9E3779B97F4A7C15u + letters[i];
    if (!(sieve->bits[hash >> 58] >> (hash >> 52 & 63) & 1)) return 0;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (table->hashes[middle] < hash) low = middle + 1;
        else high = middle;
    }
    if (low == table->size) return 0;
    const uint32_t *word = table->words + LONGEST_BOUND * low;
    return memcmp(word, letters, LONGEST_BOUND * sizeof *word) ? 0 : table->kinds[low];
}

/* Whether a full stop follows only a number or a letter in its line. */
INLINE int is_label(const Classed *text, int64_t dot)
{
    int64_t digits = 0, letter = !!is_of(text, dot - 1, A_LETTER);
    for (int i = 0; i < LONGEST_LABEL; i++) digits += !!is_of(text, dot - 1 - digits, A_DIGIT);
    int64_t at = dot - 1 - (letter ? 1 : digits);
    for (int i = 0; i < INDENT; i++) at -= !!is_of(text, at, SPACE);
    return (letter || digits) && (is_of(text, at, LINE_END) || !code_of(text, at));
}

/* Whether a full stop is a part of the word before it; and, in the second bit, does not end a
   sentence. `next` is where the word behind it begins; `tables` are for before and behind. */
INLINE int bound(const Classed *text, const Boundaries *tables, const Sieve *sieves, int64_t dot,
                 int64_t next)
{
    uint32_t before[LONGEST_BOUND], behind[LONGEST_BOUND];
    int length = letters_from(text, dot - 1, -1, before), kind = kind_of(tables, sieves, before);
    int stopped = 0, going_on = kind == TITLE_WORD;
    for (int i = 0; i < length; i++) stopped |= before[i] == '.';
    int spelled = stopped && length > 1;
    uint32_t head = before[length ? length - 1 : 0];
    going_on |= kind == NUMBER_WORD && is_of(text, next, A_DIGIT);
    going_on |= spelled && is_of(text, next, SMALL);
    if ((spelled || length == 1) && text->classes[head] & CAPITAL && head != 'I' &&
        !is_of(text, dot + 1, LINE_END) && is_of(text, next, CAPITAL)) {
        letters_from(text, next, 1, behind);
        going_on |= kind_of(tables + 1, sieves + 1, behind) != START_WORD;
    }
    going_on |= is_label(text, dot);
    return (spelled || going_on) | going_on << 1;
}

KERNEL(perturb_stops,
       (const void *codes, int wide, int64_t size, const int64_t *text_starts,
        const int64_t *text_ends, int64_t texts, const uint16_t *classes, int64_t reach,
        const Boundaries *tables, int64_t room, int64_t *starts, int64_t *ends, int64_t *closed,
        int64_t *next, uint8_t *bounds, uint8_t *ending),
       (codes, wide, size, text_starts, text_ends, texts, classes, reach, tables, room, starts, ends,
        closed, next, bounds, ending))
{
    const Classed text = {codes, classes, wide};
    int64_t made = 0, row = -1, ended = 0, seen = -1;
    int has_capital = 0;
    if (!in_order(text_starts, text_ends, texts, size) || room < size / 2 + 1 || reach < 256)
        return OUT_OF_RANGE;
    for (int64_t i = 0; wide && i < size; i++)
        if (code_of(&text, i) >= reach) return OUT_OF_RANGE;
    if (size < 2 || code_of(&text, 0) || code_of(&text, size - 1) || classes[0]) return DECLINED;
    const Sieve sieves[2] = {sieve_of(tables), sieve_of(tables + 1)};
    for (int64_t at = 1; (at = next_in(&text, at, size, STOP)) < size;) {
        int64_t start = at, end = past(&text, at, STOP), close = past(&text, end, CLOSER);
        int64_t after = past(&text, close, BLANK), word = past(&text, after, OPENER);
        uint32_t last = code_of(&text, end - 1);
        while (row + 1 < texts && text_starts[row + 1] <= start) row++;
        while (ended < texts && text_ends[ended] < after) ended++;
        if (row < 0) return DECLINED;
        int at_end = !code_of(&text, after) && ended < texts && text_ends[ended] == after;
        int ends_here = (after > close || at_end || is_of(&text, end - 1, STRONG)) &&
                        !is_of(&text, after, GO_ON);
        int soft = (is_of(&text, end - 1, SOFT) || close > end) && is_of(&text, word, SMALL);
        if (ends_here && soft) {
            int64_t stop = text_ends[row];
            if (seen < row) has_capital = next_in(&text, text_starts[row], stop, CAPITAL) < stop;
            seen = row;
            ends_here = !has_capital;
        }
        bounds[made] = 0;
        if (end == start + 1 && last == '.' && (after > close || at_end)) {
            int word_bound = bound(&text, tables, sieves, start, word);
            bounds[made] = (word_bound & 1) || (!ends_here && soft);
            ends_here &= !(word_bound & 2) || at_end;
        }
        starts[made] = start;
        ends[made] = end;
        closed[made] = close;
        next[made] = after;
        ending[made++] = (uint8_t)ends_here;
        at = end;
    }
    return made;
}

/* Mark the words of questions in the last clause, and in those whose first word `opens` has. */
KERNEL(perturb_asking,
       (const uint8_t *codes, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t sentences, const int64_t *words, const int64_t *numbers, int64_t count,
        const uint8_t *opens, int64_t known, uint8_t *asking),
       (codes, size, starts, ends, sentences, words, numbers, count, opens, known, asking))
{
    int64_t word = 0;
    if (!in_order(starts, ends, sentences, size)) return OUT_OF_RANGE;
    memset(asking, 0, (size_t)count);
    for (int64_t i = 0; i < sentences; i++) {
        const uint8_t *from = codes + starts[i], *end = codes + ends[i], *to;
        if (!memchr(from, '?', (size_t)(end - from))) continue;
        for (; from < end; from = to) {
            to = memchr(from + 1, ',', (size_t)(end - from - 1));
            if (!to) to = end;
            while (word < count && words[word] < from - codes) word++;
            int64_t first = word;
            while (word < count && words[word] < to - codes) word++;
            if (first == word) continue;
            if (numbers[first] < 0 || numbers[first] >= known) return OUT_OF_RANGE;
            if (to == end || opens[numbers[first]]) memset(asking + first, 1, (size_t)(word - first));
        }
    }
    return count;
}
