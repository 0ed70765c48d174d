/* SHA-256, FIPS 180-4, of many texts: eight side by side, which the compiler turns into what
   the machine has. */
#pragma once
#include "hashing.h"
#include "json.h"

#define SHA_LANES (PERTURB_PART == 2 ? 16 : 8) /* what the registers of the machine hold */
#define SHA_BYTES 64
#define SHA_TAIL 9 /* a bit that ends the message, and its length */

typedef uint32_t Words __attribute__((vector_size(SHA_LANES * 4)));

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

/* The next block of a message, which may be put together in `own`; and whether it is the last. */
INLINE const uint8_t *sha_block_of(Lane *lane, uint8_t *own, int *is_last)
{
    int64_t left = lane->size - lane->done;
    const uint8_t *at = lane->text + lane->done;
    lane->done += SHA_BYTES;
    *is_last = left + SHA_TAIL <= SHA_BYTES;
    if (left >= SHA_BYTES) return at;
    memset(own, 0, SHA_BYTES);
    if (left > 0) memcpy(own, at, (size_t)left);
    if (left >= 0) own[left] = 0x80;
    uint64_t bits = __builtin_bswap64((uint64_t)lane->size * 8);
    if (*is_last) memcpy(own + SHA_BYTES - 8, &bits, 8);
    return own;
}

INLINE void sha_block(Words *h, Words *w)
{
    Words v[8];
    for (int i = 0; i < 8; i++) v[i] = h[i];
#pragma GCC unroll 64
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

/* The first 32 bits of the SHA-256 of each text; a lane that is through takes the next one. */
INLINE void checks_of(const uint8_t *bytes, int64_t size, const int64_t *starts,
                      const int64_t *ends, int64_t texts, uint64_t *checks)
{
    Lane lanes[SHA_LANES];
    Words h[8] = {{0}}, w[16];
    int64_t next = 0, finished = 0;
    (void)size;
    for (int l = 0; l < SHA_LANES; l++) lanes[l].row = -1;
    while (finished < texts) {
        int through[SHA_LANES];
        for (int l = 0; l < SHA_LANES; l++) {
            uint8_t own[SHA_BYTES];
            if (lanes[l].row < 0) {
                lanes[l] = (Lane){bytes, 0, 0, -1};
                if (next < texts) {
                    lanes[l] = (Lane){bytes + starts[next], ends[next] - starts[next], 0, next};
                    next++;
                }
                for (int i = 0; i < 8; i++) h[i][l] = sha_start[i];
            }
            const uint8_t *block = sha_block_of(lanes + l, own, through + l);
            for (int i = 0; i < 16; i++) {
                uint32_t word;
                memcpy(&word, block + 4 * i, 4);
                w[i][l] = word;
            }
        }
        for (int i = 0; i < 16; i++) /* as __builtin_bswap32 does it, in all lanes at once */
            w[i] = (RIGHT(w[i], 8) & 0xFF00FF00u) | (RIGHT(w[i], 24) & 0x00FF00FFu);
        sha_block(h, w);
        for (int l = 0; l < SHA_LANES; l++) {
            if (!through[l] || lanes[l].row < 0) continue;
            checks[lanes[l].row] = h[0][l];
            lanes[l].row = -1;
            finished++;
        }
    }
}
