# Finds Z3 twice: the `z3-solver` wheel that `make setup` installs, and Debian's libz3-dev.
#
#   HOLDFAST_Z3            wheel, system, or auto (the wheel where it is installed: it proves faster)
#   HOLDFAST_BOTH_Z3       build and test with the other one too
#   HOLDFAST_Z3_VENV       the virtual environment that holds the wheel
#
# Sets HOLDFAST_Z3_DEFAULT (wheel or system) and HOLDFAST_Z3_FLAVOURS (the default first), and makes
# one imported target per flavour, holdfast_z3_wheel and holdfast_z3_system.

set(HOLDFAST_Z3 auto CACHE STRING "Which Z3 the command uses: wheel, system or auto")
set_property(CACHE HOLDFAST_Z3 PROPERTY STRINGS auto wheel system)
option(HOLDFAST_BOTH_Z3 "Build and test with the other Z3 too, where both are installed" ON)
set(HOLDFAST_Z3_VENV "${PROJECT_SOURCE_DIR}/build/venv" CACHE PATH "Where the z3-solver wheel is")

if(NOT HOLDFAST_Z3 MATCHES "^(auto|wheel|system)$")
  message(FATAL_ERROR "HOLDFAST_Z3 is '${HOLDFAST_Z3}'; it has to be wheel, system or auto")
endif()

# The version by the header; the wheel 5.4 carries no z3_version.h, so there by its metadata.
function(_holdfast_z3_version include_dir package_dir result)
  set(version "of unknown version")
  if(EXISTS "${include_dir}/z3_version.h")
    file(STRINGS "${include_dir}/z3_version.h" lines
         REGEX "^#define Z3_(MAJOR_VERSION|MINOR_VERSION|BUILD_NUMBER)")
    set(numbers "")
    foreach(line IN LISTS lines)
      string(REGEX MATCH "[0-9]+$" number "${line}")
      list(APPEND numbers "${number}")
    endforeach()
    list(JOIN numbers "." version)
  else()
    file(GLOB metadata "${package_dir}/../z3_solver-*.dist-info")
    if(metadata MATCHES "z3_solver-([0-9.]+)\\.dist-info")
      set(version "${CMAKE_MATCH_1}")
    endif()
  endif()
  set(${result} "${version}" PARENT_SCOPE)
endfunction()

function(_holdfast_add_z3 flavour include_dir library package_dir)
  _holdfast_z3_version("${include_dir}" "${package_dir}" version)
  message(STATUS "Z3 (${flavour}): ${version}")
  add_library(holdfast_z3_${flavour} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(holdfast_z3_${flavour} PROPERTIES IMPORTED_LOCATION "${library}")
  if(NOT include_dir STREQUAL "/usr/include")  # -isystem /usr/include breaks #include_next
    target_include_directories(holdfast_z3_${flavour} SYSTEM INTERFACE "${include_dir}")
  endif()
endfunction()

set(HOLDFAST_Z3_FLAVOURS "")

# Not find_library: its cache would outlive a venv that was removed or renewed.
file(GLOB _z3_wheel "${HOLDFAST_Z3_VENV}/lib/python3*/site-packages/z3")
if(_z3_wheel)
  list(GET _z3_wheel 0 _z3_wheel)
  if(EXISTS "${_z3_wheel}/include/z3++.h" AND EXISTS "${_z3_wheel}/lib/libz3.so")
    _holdfast_add_z3(wheel "${_z3_wheel}/include" "${_z3_wheel}/lib/libz3.so" "${_z3_wheel}")
    list(APPEND HOLDFAST_Z3_FLAVOURS wheel)
  endif()
endif()

find_path(HOLDFAST_Z3_SYSTEM_INCLUDE z3++.h PATH_SUFFIXES z3)
find_library(HOLDFAST_Z3_SYSTEM_LIBRARY z3)
if(HOLDFAST_Z3_SYSTEM_INCLUDE AND HOLDFAST_Z3_SYSTEM_LIBRARY)
  _holdfast_add_z3(system "${HOLDFAST_Z3_SYSTEM_INCLUDE}" "${HOLDFAST_Z3_SYSTEM_LIBRARY}" "")
  list(APPEND HOLDFAST_Z3_FLAVOURS system)
endif()

if(NOT HOLDFAST_Z3_FLAVOURS)
  message(FATAL_ERROR "No Z3 found. Run `make setup`, or install Debian's libz3-dev.")
endif()
if(HOLDFAST_Z3 STREQUAL "auto")
  list(GET HOLDFAST_Z3_FLAVOURS 0 HOLDFAST_Z3_DEFAULT)
elseif(HOLDFAST_Z3 IN_LIST HOLDFAST_Z3_FLAVOURS)
  set(HOLDFAST_Z3_DEFAULT "${HOLDFAST_Z3}")
else()
  message(FATAL_ERROR "HOLDFAST_Z3=${HOLDFAST_Z3}, but that Z3 was not found. Run `make setup`.")
endif()
if(NOT HOLDFAST_BOTH_Z3)
  set(HOLDFAST_Z3_FLAVOURS "${HOLDFAST_Z3_DEFAULT}")
endif()
list(REMOVE_ITEM HOLDFAST_Z3_FLAVOURS "${HOLDFAST_Z3_DEFAULT}")
list(PREPEND HOLDFAST_Z3_FLAVOURS "${HOLDFAST_Z3_DEFAULT}")
message(STATUS "holdfast uses Z3 (${HOLDFAST_Z3_DEFAULT}); built for: ${HOLDFAST_Z3_FLAVOURS}")
