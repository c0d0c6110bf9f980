/* simd.h - loops compiled twice, for narrow and for wide vector registers, with the same bits. */
#ifndef NUM_SIMD_H
#define NUM_SIMD_H

/* A function that becomes a part of each of its callers, so that it is compiled for their
 * registers. */
#if defined(__GNUC__)
#define DPD_FORCE_INLINE __attribute__((always_inline)) inline
#else
#define DPD_FORCE_INLINE inline
#endif

/* A function compiled for AVX2 where there is that target, and whether this machine has it. AVX2
 * has no fused products: both versions round alike. Not by gcc on Windows: it takes places on the
 * stack for aligned to 32 bytes there that are aligned to 16, and may crash (its bug 54412). */
#if defined(__GNUC__) && defined(__x86_64__) && (defined(__clang__) || !defined(_WIN32))
#define DPD_AVX2
#define DPD_WIDE __attribute__((target("avx2")))
#define DPD_HAS_WIDE __builtin_cpu_supports("avx2")
#else
#define DPD_WIDE
#define DPD_HAS_WIDE 0
#endif

#endif
