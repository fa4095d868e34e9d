# Appended to the root's CMakeLists.txt in the scratch copy of canary.py: what `holdfast diff` needs,
# file by file and no more, so that a mutant builds anew little. -O1 for the same reason.
find_package(tsl-robin-map REQUIRED)
file(GLOB canary_impl_sources impl/*.cpp)
list(FILTER canary_impl_sources EXCLUDE REGEX "encoder_(decoder_)?cache\\.cpp$")
add_library(canary_impl STATIC EXCLUDE_FROM_ALL ${canary_impl_sources})
target_include_directories(canary_impl PUBLIC impl/include PRIVATE "${PROJECT_SOURCE_DIR}")
target_compile_features(canary_impl PUBLIC cxx_std_20)
target_compile_options(canary_impl PRIVATE -O1)
target_link_libraries(canary_impl PRIVATE tsl::robin_map)
add_executable(canary EXCLUDE_FROM_ALL tests/verify/diff/canary_driver.cpp
               verify/diff/diff.cpp verify/diff/lockstep.cpp verify/diff/refinement.cpp
               verify/hunt/breeder.cpp verify/hunt/known_scripts.cpp verify/hunt/script.cpp verify/hunt/shrink.cpp
               verify/hunt/story_events.cpp verify/hunt/trial.cpp
               verify/replay/driven/scale.cpp verify/replay/driven/workload_events.cpp)
set_target_properties(canary canary_impl PROPERTIES UNITY_BUILD OFF)
target_link_libraries(canary PRIVATE holdfast_trace canary_impl)
