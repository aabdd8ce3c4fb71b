# A build without established codes, or without the packages of some, lacks their modules and no others.
# Run: cmake -D ROOT=<source dir> -D TREE=<scratch dir> -P tests/without_peers.cmake
cmake_minimum_required(VERSION 3.25)

# expect_modules(MODULES OPTIONS...): which modules of peers a build with these options has
function(expect_modules modules)
  file(REMOVE_RECURSE ${TREE})
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${ROOT} -B ${TREE} -G Ninja -D DAELAB_SCALARS=double ${ARGN}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${TREE}/build.ninja lines REGEX "^build daelab_(desolve|gsl|odeint|siconos|sundials)\\.so:")
  list(TRANSFORM lines REPLACE "^build daelab_([a-z]+)\\.so:.*$" "\\1")
  list(SORT lines)
  if(NOT "${lines}" STREQUAL "${modules}")
    message(FATAL_ERROR "modules with ${ARGN}: '${lines}', expected '${modules}'")
  endif()
endfunction()

expect_modules("" -D DAELAB_PEERS=OFF)
expect_modules("odeint" -D GSL_INCLUDE_DIR= -D SUNDIALS_INCLUDE_DIR= -D BOOST_CONTEXT_LIBRARY=)  # as where they are not found
file(REMOVE_RECURSE ${TREE})
