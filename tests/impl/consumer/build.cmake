# Installs the library into a new prefix, and builds and runs a consumer that finds it there: with
# find_package, and with pkg-config where there is one.
set(here "${BUILD}/tests/impl/consumer")
set(prefix "${here}/prefix")
file(REMOVE_RECURSE "${prefix}" "${here}/build")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD}" --component holdfast --prefix "${prefix}")
run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${here}/build"
    "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}")
run("${CMAKE_COMMAND}" --build "${here}/build")
run("${here}/build/consumer")

find_program(pkg_config pkg-config)
if(pkg_config)
  file(GLOB_RECURSE found "${prefix}/*/holdfast.pc")
  cmake_path(GET found PARENT_PATH folder)
  set(ENV{PKG_CONFIG_PATH} "${folder}")
  execute_process(COMMAND "${pkg_config}" --cflags --libs holdfast OUTPUT_VARIABLE flags
                  COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run("${CXX}" -std=c++20 "${CMAKE_CURRENT_LIST_DIR}/consumer.cpp" ${flags} -o "${here}/build/by_pkg_config")
  run("${here}/build/by_pkg_config")
endif()
