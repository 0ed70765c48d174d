/* Keyed random numbers as perturb/rng.py defines them, and BLAKE2b with a digest of 8 bytes. */
#pragma once
#include "platform.h"

#define STRIDE 0x9E3779B1u
#define LANE 0x9E3779B9u

enum { RANK, COUNT, FIRST_WRITE }; /* lanes, as in perturb/engine/sites.py */

INLINE uint32_t mixed32(uint32_t x, uint32_t high)
{
    x = (x ^ x >> 16) * 0x7FEB352Du ^ high;
    x = (x ^ x >> 15) * 0x846CA68Bu;
    return x ^ x >> 16;
}

INLINE uint32_t hash32(uint64_t key, uint32_t counter, uint32_t lane)
{
    return mixed32((counter + lane * LANE) * STRIDE + (uint32_t)key, (uint32_t)(key >> 32));
}

INLINE uint64_t mix64(uint64_t key, uint64_t salt)
{
    uint64_t x = key ^ salt;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* BLAKE2b, RFC 7693. What follows is written once for one text (uint64_t) and for eight side by side
   (Eight), which the compiler turns into what the machine has. */

#define LANES 8
typedef uint64_t Eight __attribute__((vector_size(LANES * 8)));

#define BLOCK_BYTES 128

static const uint64_t blake_start[8] = {
    0x6A09E667F3BCC908u, 0xBB67AE8584CAA73Bu, 0x3C6EF372FE94F82Bu, 0xA54FF53A5F1D36F1u,
    0x510E527FADE682D1u, 0x9B05688C2B3E6C1Fu, 0x1F83D9ABFB41BD6Bu, 0x5BE0CD19137E2179u,
};
/* The parameters: 8 bytes of digest, no key, no tree. */
#define BLAKE_PARAMETERS 0x01010008u

#define TURNED(x, bits) ((x) >> (bits) | (x) << (64 - (bits)))
#define QUARTER(a, b, c, d, first, second)                  \
    a += b + (first);  d ^= a; d = TURNED(d, 32);           \
    c += d;            b ^= c; b = TURNED(b, 24);           \
    a += b + (second); d ^= a; d = TURNED(d, 16);           \
    c += d;            b ^= c; b = TURNED(b, 63);
#define ROUND(v, m, a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q) \
    QUARTER(v[0], v[4], v[8], v[12], m[a], m[b])            \
    QUARTER(v[1], v[5], v[9], v[13], m[c], m[d])            \
    QUARTER(v[2], v[6], v[10], v[14], m[e], m[f])           \
    QUARTER(v[3], v[7], v[11], v[15], m[g], m[h])           \
    QUARTER(v[0], v[5], v[10], v[15], m[i], m[j])           \
    QUARTER(v[1], v[6], v[11], v[12], m[k], m[l])           \
    QUARTER(v[2], v[7], v[8], v[13], m[n], m[o])            \
    QUARTER(v[3], v[4], v[9], v[14], m[p], m[q])
#define TWELVE_ROUNDS(v, m)                                               \
    ROUND(v, m, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)     \
    ROUND(v, m, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)     \
    ROUND(v, m, 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)     \
    ROUND(v, m, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)     \
    ROUND(v, m, 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)     \
    ROUND(v, m, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)     \
    ROUND(v, m, 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)     \
    ROUND(v, m, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)     \
    ROUND(v, m, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)     \
    ROUND(v, m, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)     \
    ROUND(v, m, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)     \
    ROUND(v, m, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)

#define ALL_8 255, 255, 255, 255, 255, 255, 255, 255
#define ALL_32 ALL_8, ALL_8, ALL_8, ALL_8
#define ALL_128 ALL_32, ALL_32, ALL_32, ALL_32

/* The key of one text. */
INLINE uint64_t key_of(const uint8_t *text, int64_t size)
{
    uint64_t h[8], v[16], m[16];
    int64_t done = 0;
    for (int i = 0; i < 8; i++) h[i] = blake_start[i];
    h[0] ^= BLAKE_PARAMETERS;
    for (;;) {
        int64_t here = size - done < BLOCK_BYTES ? size - done : BLOCK_BYTES;
        memset(m, 0, sizeof m);
        memcpy(m, text + done, (size_t)here);
        done += here;
        for (int i = 0; i < 8; i++) {
            v[i] = h[i];
            v[i + 8] = blake_start[i];
        }
        v[12] ^= (uint64_t)done;
        if (done == size) v[14] = ~v[14];
        TWELVE_ROUNDS(v, m)
        for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
        if (done == size) return h[0];
    }
}

typedef struct {
    const uint8_t *text;
    int64_t size, done, row; /* row is -1 where a lane has nothing left to do */
} Lane;

/* The keys of many texts. */
typedef void KeysOf(const uint8_t *bytes, int64_t size, const int64_t *starts, const int64_t *ends,
                    int64_t texts, uint64_t *keys);

INLINE void keys_one_by_one(const uint8_t *bytes, int64_t size, const int64_t *starts,
                            const int64_t *ends, int64_t texts, uint64_t *keys)
{
    (void)size;
    for (int64_t i = 0; i < texts; i++) keys[i] = key_of(bytes + starts[i], ends[i] - starts[i]);
}

/* A lane that is through with its text takes the next one. */
INLINE void keys_in_lanes(const uint8_t *bytes, int64_t size, const int64_t *starts,
                          const int64_t *ends, int64_t texts, uint64_t *keys)
{
    const uint8_t *last = bytes + size;
    static const uint8_t shown[2 * BLOCK_BYTES] = {ALL_128};
    uint8_t padded[LANES][BLOCK_BYTES];
    const uint8_t *blocks[LANES], *masks[LANES];
    Lane lanes[LANES];
    Eight h[8] = {{0}}, v[16], m[16], through = ~(Eight){0};
    int64_t next = 0, finished = 0;
    while (finished < texts) {
        Eight counter, fresh = through;
        for (int l = 0; l < LANES; l++) {
            Lane *lane = lanes + l;
            if (fresh[l]) {
                *lane = (Lane){last, 0, 0, -1};
                if (next < texts) {
                    *lane = (Lane){bytes + starts[next], ends[next] - starts[next], 0, next};
                    next++;
                }
            }
            int64_t left = lane->size - lane->done;
            if (left > BLOCK_BYTES) left = BLOCK_BYTES;
            /* What lies behind a text is read and masked, which needs no branch. */
            blocks[l] = lane->text + lane->done;
            masks[l] = shown + BLOCK_BYTES - left;
            if (last - blocks[l] < BLOCK_BYTES) {
                memset(padded[l], 0, BLOCK_BYTES);
                blocks[l] = memcpy(padded[l], blocks[l], (size_t)left);
            }
            lane->done += left;
            counter[l] = (uint64_t)lane->done;
            through[l] = lane->done == lane->size ? ~(uint64_t)0 : 0;
        }
        for (int l = 0; l < LANES; l++)
            for (int i = 0; i < 16; i++) {
                uint64_t word, mask;
                memcpy(&word, blocks[l] + 8 * i, 8);
                memcpy(&mask, masks[l] + 8 * i, 8);
                m[i][l] = word & mask;
            }
        for (int i = 0; i < 8; i++) {
            Eight start = (Eight){0} + (blake_start[i] ^ (i ? 0 : BLAKE_PARAMETERS));
            v[i] = h[i] = (h[i] & ~fresh) | (start & fresh);
            v[i + 8] = (Eight){0} + blake_start[i];
        }
        v[12] ^= counter;
        v[14] ^= through;
        TWELVE_ROUNDS(v, m)
        for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
        for (int l = 0; l < LANES; l++) {
            if (!through[l] || lanes[l].row < 0) continue;
            keys[lanes[l].row] = h[0][l];
            finished++;
        }
    }
}
