# Compiler and linker flags of the core, and which CPU features the result needs.
# Sets tengen_compile_options, tengen_link_options; defines tengen_required_cpu_flags().

include(CheckCXXCompilerFlag)
set(tengen_compile_options "")
set(tengen_link_options "")
string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)

if(MSVC)
  list(APPEND tengen_compile_options /W4 /permissive- /utf-8 /bigobj)
  if(processor MATCHES "x86_64|amd64")
    list(APPEND tengen_compile_options /arch:AVX2)
  endif()
else()
  list(APPEND tengen_compile_options -Wall -Wextra -fno-math-errno)
  check_cxx_compiler_flag(-fopenmp-simd has_openmp_simd)
  if(has_openmp_simd)
    list(APPEND tengen_compile_options -fopenmp-simd)
  endif()
  check_cxx_compiler_flag(-march=native has_march_native)
  check_cxx_compiler_flag(-mcpu=native has_mcpu_native)
  if(TENGEN_NATIVE AND has_march_native)
    list(APPEND tengen_compile_options -march=native)
  elseif(TENGEN_NATIVE AND has_mcpu_native)
    list(APPEND tengen_compile_options -mcpu=native)
  elseif(processor MATCHES "x86_64|amd64" AND NOT TENGEN_LEVELS)
    list(APPEND tengen_compile_options -march=x86-64-v3)
  endif()
  if(MINGW)  # a stack of Windows is aligned to 16 bytes, which GCC forgets where it keeps vectors of 32 there (its bug 54412)
    list(APPEND tengen_compile_options -Wa,-muse-unaligned-vector-move)
  endif()
endif()

if(TENGEN_SANITIZE STREQUAL "address")
  # Checks of every pointer for null, alignment and the size of what it points to take a quarter of the compiler's time:
  # the address sanitizer stops at the first and the last, and x86-64 and arm64 read at any address.
  list(APPEND tengen_compile_options
       -O1 -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size -fno-sanitize-recover=undefined
       -fno-omit-frame-pointer -g1)
  list(APPEND tengen_link_options -fsanitize=address,undefined)
elseif(TENGEN_SANITIZE STREQUAL "thread")
  list(APPEND tengen_compile_options -O1 -fsanitize=thread -fno-omit-frame-pointer -g1)
  list(APPEND tengen_link_options -fsanitize=thread)
elseif(TENGEN_SANITIZE)
  message(FATAL_ERROR "TENGEN_SANITIZE is \"\", \"address\" or \"thread\", not \"${TENGEN_SANITIZE}\"")
endif()

# Compiler macro = name of the flag in Linux's /proc/cpuinfo, for what a compiler emits unasked.
set(tengen_cpu_flags
    __SSE3__=pni __SSSE3__=ssse3 __SSE4_1__=sse4_1 __SSE4_2__=sse4_2 __POPCNT__=popcnt __MOVBE__=movbe
    __AVX__=avx __AVX2__=avx2 __BMI__=bmi1 __BMI2__=bmi2 __FMA__=fma __F16C__=f16c __LZCNT__=abm
    __XOP__=xop __FMA4__=fma4 __TBM__=tbm __ADX__=adx __GFNI__=gfni __AVXVNNI__=avx_vnni
    __AVX512F__=avx512f __AVX512CD__=avx512cd __AVX512BW__=avx512bw __AVX512DQ__=avx512dq
    __AVX512VL__=avx512vl __AVX512IFMA__=avx512ifma __AVX512VBMI__=avx512vbmi
    __AVX512VBMI2__=avx512_vbmi2 __AVX512VNNI__=avx512_vnni __AVX512BITALG__=avx512_bitalg
    __AVX512VPOPCNTDQ__=avx512_vpopcntdq __AVX512BF16__=avx512_bf16 __AVX512FP16__=avx512_fp16)

# Sets `result` to the cpuinfo flags that code compiled with `options` may use ("" where unknown).
function(tengen_required_cpu_flags options result)
  set(${result} "" PARENT_SCOPE)
  if(MSVC OR NOT processor MATCHES "x86_64|amd64")
    return()
  endif()
  list(FILTER options INCLUDE REGEX "^-march=")
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp "")
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} ${options} -dM -E ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp
    OUTPUT_VARIABLE macros ERROR_QUIET)
  set(flags "")
  foreach(pair ${tengen_cpu_flags})
    string(REPLACE "=" ";" pair ${pair})
    list(GET pair 0 macro)
    list(GET pair 1 flag)
    if(macros MATCHES "#define ${macro} ")
      list(APPEND flags ${flag})
    endif()
  endforeach()
  string(REPLACE ";" " " flags "${flags}")
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()
