/* Words: where they stand, what they hash to, where a table has their hashes, and their forms. */
#pragma once
#include "edits.h"
#include "marks.h"

/* Classes of characters, as perturb/engine/batch.py has them. */
enum { IN_WORD = 1, IS_LETTER = 2, IS_DIGIT = 4, JOINS_LETTERS = 8, JOINS_DIGITS = 16 };

/* Write the places of the set bits of a block; `to` has room for seven numbers more than these. */
INLINE int64_t write_bits(uint64_t bits, int64_t first, int64_t *to)
{
    int count = __builtin_popcountll(bits);
    for (int i = 0; i < count; i += 8)
        for (int j = 0; j < 8; j++) { /* eight at once, so that no branch depends on each */
            to[i + j] = first + (bits ? __builtin_ctzll(bits) : 0);
            bits &= bits - 1;
        }
    return count;
}

/* The bits of a block that are in words, of the classes of its characters and of one on both sides. */
INLINE uint64_t inside_words(const uint8_t *near)
{
    uint8_t flags[WORD];
    for (int i = 0; i < WORD; i++) {
        uint8_t here = near[i + 1], beside = near[i] & near[i + 2];
        uint8_t in = (here | (here >> 3 & beside >> 1) | (here >> 4 & beside >> 2)) & IN_WORD;
        flags[i] = (uint8_t)-in;
    }
    return bits_of(flags);
}

/* Write where the words start and end; what stands first and last is in none. */
KERNEL(perturb_words,
       (const uint8_t *codes, int64_t size, const uint8_t *classes, int64_t room, int64_t *starts,
        int64_t *ends),
       (codes, size, classes, room, starts, ends))
{
    int64_t begun = 0, ended = 0;
    uint64_t last = 0;
    if (size < 0 || room < size / 2 + 8) return OUT_OF_RANGE;
    if (size && ((classes[codes[0]] | classes[codes[size - 1]]) & IN_WORD)) return DECLINED;
    uint8_t near[WORD + 2] = {0}; /* the classes of a block and of what is beside it */
    for (int64_t first = 0; first < size; first += WORD) {
        int count = size - first < WORD + 1 ? (int)(size - first) : WORD + 1;
        near[0] = near[WORD];
        for (int i = 0; i < count; i++) near[i + 1] = classes[codes[first + i]];
        if (count <= WORD) memset(near + 1 + count, 0, (size_t)(WORD + 1 - count));
        uint64_t inside = inside_words(near);
        uint64_t shifted = inside << 1 | last;
        begun += write_bits(inside & ~shifted, first, starts + begun);
        ended += write_bits(shifted & ~inside, first, ends + ended);
        last = inside >> (WORD - 1);
    }
    return begun;
}

/* As `_mixed` in perturb/lexicon/hashing.py; `mix64`, which random numbers have, is another. */
INLINE uint64_t mixed64(uint64_t x)
{
    x = (x ^ x >> 32) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 32) * 0x94D049BB133111EBu;
    return x ^ x >> 32;
}

#define LONGEST_WORD 48 /* as in perturb/lexicon/hashing.py */

/* The bytes of a block of eight that are the first `left`. */
INLINE uint64_t kept(uint64_t block, int64_t left)
{
    return left >= 8 ? block : block & (((uint64_t)1 << 8 * left) - 1);
}

INLINE uint64_t block_at(const uint8_t *codes, int64_t size, int64_t at)
{
    uint64_t block = 0;
    if (size - at >= 8) memcpy(&block, codes + at, 8); /* a size that is known needs no call */
    else memcpy(&block, codes + at, (size_t)(size - at));
    return block;
}

/* The highest bit of each of eight bytes that is a capital of ASCII. */
INLINE uint64_t capitals_in(uint64_t block)
{
    uint64_t each = 0x0101010101010101u, low = block & 0x7F * each;
    uint64_t from_a = low + (0x80 - 'A') * each, beyond_z = low + (0x7F - 'Z') * each;
    return from_a & ~beyond_z & ~block & 0x80 * each;
}

/* Letters as the lexicon spells them: `block` has eight, or fewer and zeros, which stay zeros;
   `capitals` has the highest bit of those. */
INLINE uint64_t folded_letters(uint64_t block, uint64_t capitals, const uint8_t *folded)
{
    uint64_t letters = 0;
    if (!(block & 0x8080808080808080u)) return block | capitals >> 2;
    for (int i = 0; i < 64; i += 8) letters |= (uint64_t)folded[block >> i & 0xFF] << i;
    return letters;
}

/* The hash of a word; how many capitals of ASCII are among its letters is added. */
INLINE uint64_t hash_word(const uint8_t *codes, int64_t size, const uint8_t *folded, int64_t at,
                          int64_t length, int64_t *capitals)
{
    uint64_t hash = 0;
    int64_t left = length > LONGEST_WORD ? LONGEST_WORD : length;
    do {
        uint64_t block = kept(block_at(codes, size, at), left), upper = capitals_in(block);
        hash = mixed64(hash ^ folded_letters(block, upper, folded));
        *capitals += __builtin_popcountll(upper);
        at += 8;
        left -= 8;
    } while (left > 0);
    return hash;
}

KERNEL(perturb_hash_words,
       (const uint8_t *codes, int64_t size, const uint8_t *folded, const int64_t *starts,
        const int64_t *ends, int64_t words, uint64_t *hashes),
       (codes, size, folded, starts, ends, words, hashes))
{
    Column column = {codes, starts, ends, size, words, 0};
    int64_t capitals = 0;
    if (!in_range(&column)) return OUT_OF_RANGE;
    for (int64_t i = 0; i < words; i++)
        hashes[i] = hash_word(codes, size, folded, starts[i], ends[i] - starts[i], &capitals);
    return words;
}

/* Where the number of a hash stands, or is to stand. */
INLINE uint32_t *slot_of(uint32_t *table, size_t slots, const uint64_t *distinct, uint64_t hash)
{
    size_t slot = hash & (slots - 1);
    while (table[slot] && distinct[table[slot] - 1] != hash) slot = (slot + 1) & (slots - 1);
    return table + slot;
}

/* Write the rows of the hashes that are in an ascending table, and their places there. For each
   value of the highest bits `taken` has a bit, whether any of the table has it, and `firsts` its
   first place; the last of the table is above all others. */
KERNEL(perturb_find_hashes,
       (const uint64_t *hashes, int64_t count, const uint64_t *table, int64_t size,
        const uint8_t *taken, const int32_t *firsts, int bits, int64_t *rows, int64_t *places),
       (hashes, count, table, size, taken, firsts, bits, rows, places))
{
    int64_t near = 0, made = 0;
    if (bits < 3 || bits > 62 || size < 1 || table[size - 1] != UINT64_MAX) return OUT_OF_RANGE;
    for (int64_t i = 0; i < count; i++) {
        uint64_t slot = hashes[i] >> (64 - bits);
        rows[near] = i;
        near += taken[slot >> 3] >> (slot & 7) & 1;
    }
    for (int64_t i = 0; i < near; i++) {
        uint64_t hash = hashes[rows[i]];
        int64_t place = firsts[hash >> (64 - bits)];
        if (place < 0 || place >= size) return OUT_OF_RANGE;
        while (table[place] < hash) place++;
        rows[made] = rows[i];
        places[made] = place;
        made += (table[place] == hash) & (place < size - 1); /* a word may have the last hash too */
    }
    return made;
}

/* As in perturb/lexicon/tokens.py. */
enum { LOWER, TITLE, UPPER, MIXED, DIGITS, POSSESSIVE };
enum { OWNS = 4 }; /* beside the kinds of characters before a word: it ends with an apostrophe and s */
#define FAR 8
#define BLOCK_OF_WORDS 512 /* whatever is written of so many stays in the cache */

INLINE int is_capital(uint8_t code) { return (uint8_t)(code - 'A') < 26; }

INLINE uint8_t shape_of(uint8_t head, int64_t length, int64_t capitals)
{
    uint8_t mixed = capitals == 1 && is_capital(head)    ? TITLE
                    : capitals > 1 && capitals == length ? UPPER
                                                         : MIXED;
    return length && (uint8_t)(head - '0') < 10 ? DIGITS : capitals ? mixed : LOWER;
}

/* The kinds of characters between the end of a word and the start of the next. */
INLINE uint8_t kinds_between(const uint8_t *codes, const uint8_t *kinds, uint8_t far, int64_t end,
                             int64_t start)
{
    if (start - end > FAR) return far;
    if (start <= end) return 0;
    uint8_t seen = kinds[codes[end]] | kinds[codes[start - 1]]; /* mostly all there is */
    for (int64_t j = end + 1; j < start - 1; j++) seen |= kinds[codes[j]];
    return seen;
}

/* Write of each word the number of its hash, its shape, and the kinds of characters between it and
   the one before; and the distinct hashes by their numbers, which they have as they come. */
KERNEL(perturb_read_words,
       (const uint8_t *codes, int64_t size, const uint8_t *folded, const uint8_t *kinds,
        uint8_t far, const int64_t *starts, const int64_t *ends, int64_t words, int64_t *numbers,
        uint64_t *distinct, uint8_t *shapes, uint8_t *between),
       (codes, size, folded, kinds, far, starts, ends, words, numbers, distinct, shapes, between))
{
    Column column = {codes, starts, ends, size, words, 0};
    size_t slots = 1 << 12;
    int64_t made = 0;
    if (words > INT32_MAX) return DECLINED;
    if (!in_range(&column)) return OUT_OF_RANGE;
    uint32_t *table = calloc(slots, sizeof *table); /* numbers from 1 on */
    for (int64_t from = 0; table && from < words; from += BLOCK_OF_WORDS) {
        uint64_t hashes[BLOCK_OF_WORDS];
        int64_t count = words - from < BLOCK_OF_WORDS ? words - from : BLOCK_OF_WORDS;
        for (int64_t i = 0; i < count; i++) {
            int64_t start = starts[from + i], end = ends[from + i], capitals = 0;
            hashes[i] = hash_word(codes, size, folded, start, end - start, &capitals);
            for (int64_t j = start + LONGEST_WORD; j < end; j++) capitals += is_capital(codes[j]);
            shapes[from + i] = shape_of(start < end ? codes[start] : 0, end - start, capitals);
        }
        for (int64_t i = from; i < from + count; i++) {
            int64_t end = ends[i]; /* an apostrophe is rare, so that few guess wrong */
            int owns = end > 2 && codes[end - 2] == '\'' && codes[end - 1] == 's' && end - starts[i] > 2;
            uint8_t seen = i ? kinds_between(codes, kinds, far, ends[i - 1], starts[i]) : 0;
            between[i] = seen | (owns ? OWNS : 0);
        }
        for (int64_t i = 0; table && i < count; i++) {
            uint32_t *slot = slot_of(table, slots, distinct, hashes[i]);
            if (!*slot) {
                distinct[made] = hashes[i];
                *slot = (uint32_t)++made;
            }
            numbers[from + i] = *slot - 1;
            if (4 * (size_t)made < slots) continue;
            free(table); /* few words are distinct: a small table stays in the cache */
            table = calloc(slots *= 4, sizeof *table);
            for (int64_t j = 0; table && j < made; j++)
                *slot_of(table, slots, distinct, distinct[j]) = (uint32_t)j + 1;
        }
    }
    free(table);
    return table ? made : NO_MEMORY;
}
