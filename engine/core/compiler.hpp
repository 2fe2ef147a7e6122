// What compilers have beyond the language, each with a stand-in where there is none.
#pragma once

#if defined(_MSC_VER) && !defined(__clang__) && (defined(_M_X64) || defined(_M_IX86))
#include <xmmintrin.h>
#endif

namespace tengen {

// Bring the cache line of this address near; the address may be anything.
inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_IX86))
    _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0);
#endif
}

}  // namespace tengen

// Before a member that needs no memory where its type is empty.
#if defined(_MSC_VER)
#define TENGEN_NO_UNIQUE_ADDRESS [[msvc::no_unique_address]]
#else
#define TENGEN_NO_UNIQUE_ADDRESS [[no_unique_address]]
#endif

// Before a loop that is to be unrolled so many times.
#define TENGEN_PRAGMA(what) _Pragma(#what)
#if defined(__clang__)
#define TENGEN_UNROLL(times) TENGEN_PRAGMA(unroll times)
#elif defined(__GNUC__)
#define TENGEN_UNROLL(times) TENGEN_PRAGMA(GCC unroll times)
#else
#define TENGEN_UNROLL(times)
#endif
