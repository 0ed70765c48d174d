/* SHA-256, FIPS 180-4, of many texts: eight side by side, which the compiler turns into what the
   machine has. Each text has the number of its bytes and a colon in front, as the check of a record
   has it. */
#pragma once
#include "hashing.h"
#include "json.h"

#define SHA_BYTES 64
#define SHA_TAIL 9 /* a bit that ends the message, and its length */

typedef uint32_t Words __attribute__((vector_size(LANES * 4)));

static const uint32_t sha_start[8] = {
    0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au,
    0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u,
};
static const uint32_t sha_rounds[64] = {
    0x428A2F98u, 0x71374491u, 0xB5C0FBCFu, 0xE9B5DBA5u, 0x3956C25Bu, 0x59F111F1u, 0x923F82A4u,
    0xAB1C5ED5u, 0xD807AA98u, 0x12835B01u, 0x243185BEu, 0x550C7DC3u, 0x72BE5D74u, 0x80DEB1FEu,
    0x9BDC06A7u, 0xC19BF174u, 0xE49B69C1u, 0xEFBE4786u, 0x0FC19DC6u, 0x240CA1CCu, 0x2DE92C6Fu,
    0x4A7484AAu, 0x5CB0A9DCu, 0x76F988DAu, 0x983E5152u, 0xA831C66Du, 0xB00327C8u, 0xBF597FC7u,
    0xC6E00BF3u, 0xD5A79147u, 0x06CA6351u, 0x14292967u, 0x27B70A85u, 0x2E1B2138u, 0x4D2C6DFCu,
    0x53380D13u, 0x650A7354u, 0x766A0ABBu, 0x81C2C92Eu, 0x92722C85u, 0xA2BFE8A1u, 0xA81A664Bu,
    0xC24B8B70u, 0xC76C51A3u, 0xD192E819u, 0xD6990624u, 0xF40E3585u, 0x106AA070u, 0x19A4C116u,
    0x1E376C08u, 0x2748774Cu, 0x34B0BCB5u, 0x391C0CB3u, 0x4ED8AA4Au, 0x5B9CCA4Fu, 0x682E6FF3u,
    0x748F82EEu, 0x78A5636Fu, 0x84C87814u, 0x8CC70208u, 0x90BEFFFAu, 0xA4506CEBu, 0xBEF9A3F7u,
    0xC67178F2u,
};

#define RIGHT(x, bits) ((x) >> (bits) | (x) << (32 - (bits)))

/* A text: what stands before it, where it is, how much is done, and which one it is; -1 for none. */
typedef struct {
    uint8_t lead[NUMBER_ROOM + 1];
    int64_t lead_size, size, done, row;
    const uint8_t *text;
} Message;

INLINE Message message_of(const uint8_t *text, int64_t size, int64_t row, int with_lead)
{
    Message made = {{0}, 0, size, 0, row, text};
    if (!with_lead) return made;
    made.lead_size = put_number(made.lead, size) - made.lead;
    made.lead[made.lead_size++] = ':';
    return made;
}

/* Write the next block of a message; whether it is the last. */
INLINE int put_block(Message *message, uint8_t *to)
{
    int64_t total = message->lead_size + message->size, at = message->done, filled = 0;
    if (at < message->lead_size) {
        filled = message->lead_size - at;
        memcpy(to, message->lead + at, (size_t)filled);
    }
    int64_t own = total - at - filled;
    if (own > SHA_BYTES - filled) own = SHA_BYTES - filled;
    if (own > 0) {
        memcpy(to + filled, message->text + (at + filled - message->lead_size), (size_t)own);
        filled += own;
    }
    memset(to + filled, 0, (size_t)(SHA_BYTES - filled));
    if (total >= at && total < at + SHA_BYTES) to[total - at] = 0x80;
    message->done = at + SHA_BYTES;
    if (message->done < total + SHA_TAIL) return 0;
    for (int i = 0; i < 8; i++) to[SHA_BYTES - 1 - i] = (uint8_t)((uint64_t)total * 8 >> 8 * i);
    return 1;
}

INLINE void sha_block(Words *h, Words *w)
{
    Words v[8];
    for (int i = 0; i < 8; i++) v[i] = h[i];
    for (int i = 0; i < 64; i++) {
        if (i >= 16) {
            Words a = w[(i + 1) & 15], b = w[(i + 14) & 15];
            w[i & 15] += (RIGHT(a, 7) ^ RIGHT(a, 18) ^ a >> 3) + w[(i + 9) & 15] +
                         (RIGHT(b, 17) ^ RIGHT(b, 19) ^ b >> 10);
        }
        Words one = v[7] + (RIGHT(v[4], 6) ^ RIGHT(v[4], 11) ^ RIGHT(v[4], 25)) +
                    ((v[4] & v[5]) ^ (~v[4] & v[6])) + sha_rounds[i] + w[i & 15];
        Words two = (RIGHT(v[0], 2) ^ RIGHT(v[0], 13) ^ RIGHT(v[0], 22)) +
                    ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        for (int j = 7; j; j--) v[j] = v[j - 1];
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

/* The first 32 bits of the SHA-256 of each text; a lane that is through takes the next one. Without
   `with_lead` the texts have their sizes in front already. */
INLINE void checks_with(int with_lead, const uint8_t *bytes, const int64_t *starts,
                        const int64_t *ends, int64_t texts, uint64_t *checks)
{
    Message lanes[LANES];
    Words h[8] = {{0}}, w[16];
    int64_t next = 0, finished = 0;
    for (int l = 0; l < LANES; l++) lanes[l].row = -1;
    while (finished < texts) {
        int through[LANES];
        for (int l = 0; l < LANES; l++) {
            uint8_t block[SHA_BYTES] = {0};
            if (lanes[l].row < 0 && next < texts) {
                lanes[l] = message_of(bytes + starts[next], ends[next] - starts[next], next, with_lead);
                next++;
                for (int i = 0; i < 8; i++) h[i][l] = sha_start[i];
            }
            through[l] = lanes[l].row >= 0 && put_block(lanes + l, block);
            for (int i = 0; i < 16; i++) {
                uint32_t word;
                memcpy(&word, block + 4 * i, 4);
                w[i][l] = __builtin_bswap32(word);
            }
        }
        sha_block(h, w);
        for (int l = 0; l < LANES; l++) {
            if (!through[l]) continue;
            checks[lanes[l].row] = h[0][l];
            lanes[l].row = -1;
            finished++;
        }
    }
}

INLINE void checks_of(const uint8_t *bytes, int64_t size, const int64_t *starts,
                      const int64_t *ends, int64_t texts, uint64_t *checks)
{
    (void)size;
    checks_with(1, bytes, starts, ends, texts, checks);
}
