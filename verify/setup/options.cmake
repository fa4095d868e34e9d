# How everything is compiled: language, build types, sanitizers, warnings, ccache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()
# Cheap assertions (spec/require.hpp) stay on in what people run; only `bench` (RelWithDebInfo) drops
# them, and says so beside its version.
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g")
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O3 -g -DNDEBUG")

# The expensive ones are of a whole build, not of a target: what is inline must be the same
# everywhere.
option(HOLDFAST_EXPENSIVE_CHECKS "Also check what takes longer than the work itself" OFF)
if(HOLDFAST_EXPENSIVE_CHECKS)
  add_compile_definitions(HOLDFAST_EXPENSIVE_CHECKS)
endif()

set(HOLDFAST_SANITIZE "" CACHE STRING "What -fsanitize gets: address,undefined or thread, or nothing")
set(HOLDFAST_SANITIZE_NOT "" CACHE STRING "What of it is left out, as null,alignment")
if(HOLDFAST_SANITIZE)
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
  add_compile_options(-fsanitize=${HOLDFAST_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${HOLDFAST_SANITIZE})
  if(HOLDFAST_SANITIZE_NOT)
    add_compile_options(-fno-sanitize=${HOLDFAST_SANITIZE_NOT})
  endif()
endif()

# Designated initialisers may leave members at their defaults.
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-missing-field-initializers)

# What people read once, and what only hands over, is fast enough as it is; it compiles in a third of
# the time. What explores, hunts, replays and proves is never cold. `bench` has nothing cold.
# Sanitizers make optimising dear: what is cold at all is not optimised there.
function(holdfast_cold target)
  set(level -O0)
  if(ARGC GREATER 1 AND NOT HOLDFAST_SANITIZE)
    set(level ${ARGV1})
  endif()
  target_compile_options(${target} PRIVATE $<$<NOT:$<CONFIG:RelWithDebInfo>>:${level}>)
endfunction()

if(NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(HOLDFAST_CCACHE ccache)
  if(HOLDFAST_CCACHE)
    # Without these, what includes a precompiled header is never found in the cache.
    set(CMAKE_CXX_COMPILER_LAUNCHER
        /usr/bin/env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
        "${HOLDFAST_CCACHE}")
  endif()
endif()
