# Appended to the root's CMakeLists.txt in the scratch copy of canary.py: what `holdfast diff` needs,
# file by file. -O1: the implementation is compiled once for every mutant.
add_executable(canary EXCLUDE_FROM_ALL tests/verify/diff/canary_driver.cpp
               verify/diff/diff.cpp verify/diff/lockstep.cpp verify/diff/refinement.cpp
               verify/hunt/breeder.cpp verify/hunt/script.cpp verify/hunt/shrink.cpp
               verify/hunt/story_events.cpp verify/hunt/trial.cpp
               verify/replay/driven/scale.cpp verify/replay/driven/workload_events.cpp)
set_target_properties(canary PROPERTIES UNITY_BUILD OFF)
target_link_libraries(canary PRIVATE holdfast_trace holdfast::holdfast)
target_compile_options(holdfast_impl PRIVATE -O1)
