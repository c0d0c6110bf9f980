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
 * has no fused products: both versions round alike. */
#if defined(__GNUC__) && defined(__x86_64__)
#define DPD_WIDE __attribute__((target("avx2")))
#define DPD_HAS_WIDE __builtin_cpu_supports("avx2")
#else
#define DPD_WIDE
#define DPD_HAS_WIDE 0
#endif

#endif
