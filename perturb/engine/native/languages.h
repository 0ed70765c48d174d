/* The language of texts by their short words and their letters, as perturb/lexicon/english.py judges. */
#pragma once
#include "code_points.h"
#include "words.h"

/* Classes of characters beside those of words.h: letters of Latin script beyond ASCII that loanwords
   have, those that they don't, and capitals of ASCII. */
enum { LOAN_LETTER = 32, STRANGE_LETTER = 64, IS_CAPITAL = 128 };
#define LOAN 0.4
#define TIMES 2.0
/* Words of tables have up to 8 letters and no fewer than 2; a long word that a text begins with is
   no name; and in a text of few words, capitals are names. */
enum { SHORT_WORD = 8, NO_ARTICLE = 4, FEW_WORDS = 5, MOST_LANGUAGES = 32 };

/* Words by ascending hashes, as perturb_find_hashes takes them, with a bit for each language. */
typedef struct {
    const uint8_t *classes; /* of code points */
    const uint64_t *hashes;
    const uint8_t *taken;
    const int32_t *firsts;
    const uint32_t *languages;
    int64_t size, bits, lists; /* English is the first of the lists */
} Vocabulary;

/* Evidence that is counted: of words that only other languages have, of words that English has, and
   of those that both have. */
typedef struct {
    int32_t known[MOST_LANGUAGES], shared[MOST_LANGUAGES], english;
    double strange;
} Evidence;

INLINE uint32_t languages_of(const Vocabulary *v, uint64_t hash)
{
    uint64_t slot = hash >> (64 - v->bits);
    if (!(v->taken[slot >> 3] >> (slot & 7) & 1)) return 0;
    int64_t place = v->firsts[slot];
    while (v->hashes[place] < hash) place++;
    return v->hashes[place] == hash && place < v->size - 1 ? v->languages[place] : 0;
}

/* What any of the first letters is, up to eight of them. */
INLINE uint64_t classes_in(const uint8_t *classes, int64_t letters)
{
    uint64_t some;
    memcpy(&some, classes, 8);
    return kept(some, letters);
}

INLINE void weigh_word(Evidence *e, const Vocabulary *v, const uint8_t *letters,
                       const uint8_t *classes, int64_t length, int is_name)
{
    const uint64_t each = 0x0101010101010101u;
    uint64_t seen = 0, word;
    uint32_t own = 0;
    for (int64_t i = 0; i < length; i += 8) seen |= classes_in(classes + i, length - i);
    if (!is_name) e->strange += seen & STRANGE_LETTER * each ? 1 : seen & LOAN_LETTER * each ? LOAN : 0;
    if (length > 1 && length <= SHORT_WORD) {
        memcpy(&word, letters, SHORT_WORD);
        own = languages_of(v, mixed64(kept(word, length)));
    }
    e->english += own & 1;
    if (is_name && !(own & 1)) return;
    int32_t *counts = own & 1 ? e->shared : e->known;
    for (own >>= 1; own; own &= own - 1) counts[__builtin_ctz(own)]++;
}

/* Write the letters of a text as tables spell them, a byte each, and their classes; which there are,
   or OUT_OF_RANGE. */
INLINE int read_letters(const Column *column, int wide, int64_t start, int64_t length,
                            const uint8_t *table, uint8_t *letters, uint8_t *classes)
{
    int seen = 0, beyond = 0;
    const uint32_t *codes = (const uint32_t *)column->codes + (wide ? start : 0);
    const uint8_t *bytes = (const uint8_t *)column->codes + (wide ? 0 : start);
    for (int64_t i = 0; i < length; i++) {
        uint32_t code = wide ? codes[i] : bytes[i];
        uint32_t letter = code == 0x2019 ? '\'' : code < 0xFF ? code : 0xFF;
        letters[i] = (uint8_t)(letter + (letter - 'A' < 26 ? 'a' - 'A' : 0));
        beyond |= code >= CODE_POINTS;
    }
    if (beyond) return OUT_OF_RANGE;
    for (int64_t i = 0; i < length; i++) seen |= classes[i] = table[wide ? codes[i] : bytes[i]];
    return seen;
}

/* Write the number of the likeliest language of each text, 0 for none, and the most evidence for one
   that outweighs English; of texts without a letter of Latin script beyond ASCII only if `all`. */
KERNEL(perturb_languages,
       (const void *codes, int wide, int64_t size, const int64_t *starts, const int64_t *ends,
        int64_t texts, const Vocabulary *v, int all, uint8_t *languages, double *most),
       (codes, wide, size, starts, ends, texts, v, all, languages, most))
{
    Column column = {codes, starts, ends, size, texts, wide};
    int64_t longest = 0;
    if (!in_range(&column) || v->lists > MOST_LANGUAGES) return OUT_OF_RANGE;
    for (int64_t i = 0; i < texts; i++)
        if (ends[i] - starts[i] > longest) longest = ends[i] - starts[i];
    size_t room = (size_t)longest + 2 * WORD;
    uint8_t *bytes = malloc(2 * room);
    int64_t *words = malloc(room * sizeof *words), done = bytes && words ? texts : NO_MEMORY;
    for (int64_t i = 0; i < done; i++) {
        uint8_t *classes = bytes + room + 1; /* and that of the border before */
        int64_t *word_ends = words + room / 2, length = ends[i] - starts[i], begun = 0, ended = 0;
        int seen =
            wide ? read_letters(&column, 1, starts[i], length, v->classes, bytes, classes)
                 : read_letters(&column, 0, starts[i], length, v->classes, bytes, classes);
        if (seen < 0) done = seen;
        languages[i] = 0;
        most[i] = 0;
        if (seen < 0 || (!all && !(seen & (LOAN_LETTER | STRANGE_LETTER)))) continue;
        classes[-1] = 0;
        memset(classes + length, 0, WORD + 1);
        uint64_t last = 0;
        for (int64_t at = 0; at <= length; at += WORD) {
            uint64_t inside = inside_words(classes - 1 + at), shifted = inside << 1 | last;
            begun += write_bits(inside & ~shifted, at, words + begun);
            ended += write_bits(shifted & ~inside, at, word_ends + ended);
            last = inside >> (WORD - 1);
        }
        Evidence e = {{0}, {0}, 0, 0};
        int shouts = begun > FEW_WORDS;
        for (int64_t j = 0; shouts && j < length; j++)
            shouts = (uint8_t)(bytes[j] - 'a') >= 26 || classes[j] & IS_CAPITAL;
        for (int64_t w = 0; w < begun; w++) {
            int64_t at = words[w], size_of = word_ends[w] - at;
            int is_name = classes[at] & IS_CAPITAL;
            if (is_name && size_of >= NO_ARTICLE) {
                uint32_t before = at ? code_at(&column, starts[i] + at - 1) : 0;
                is_name = before && before != 0xBF;
            }
            if (shouts && size_of > 1 && classes[at + size_of - 1] & IS_CAPITAL) is_name = 0;
            weigh_word(&e, v, bytes + at, classes + at, size_of, is_name);
        }
        int32_t likeliest = 0;
        for (int l = 0; l < v->lists - 1; l++) {
            double theirs = e.known[l] + e.strange;
            if (e.known[l] > likeliest) {
                likeliest = e.known[l];
                languages[i] = (uint8_t)(l + 1);
            }
            if (theirs > TIMES * (e.english - e.shared[l]) && theirs > most[i]) most[i] = theirs;
        }
    }
    free(words);
    free(bytes);
    return done;
}
