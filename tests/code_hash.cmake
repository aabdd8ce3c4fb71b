# The hash in the keys of stored runs: a change of any file that can change a number changes it, others do not.
# Run: cmake -D ROOT=<source dir> -D TREE=<scratch dir> -P tests/code_hash.cmake
cmake_minimum_required(VERSION 3.25)
include(${ROOT}/cmake/source_folders.cmake)

function(code_hash out)
  execute_process(COMMAND ${CMAKE_COMMAND} -D ROOT=${TREE} -D HEADER=${TREE}/code_hash.hpp -D VERSION=1 -D FLAGS=-O2
                  -P ${ROOT}/cmake/code_hash.cmake COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS ${TREE}/code_hash.hpp line REGEX DAELAB_CODE_HASH)
  set(${out} "${line}" PARENT_SCOPE)
endfunction()

# expect_change(FILE CHANGES): whether writing FILE changes the hash
function(expect_change file changes)
  code_hash(before)
  file(WRITE ${TREE}/${file} "int x;\n")
  code_hash(after)
  if(changes AND before STREQUAL after)
    message(FATAL_ERROR "${file} does not change the code hash: stored runs would be stale")
  elseif(NOT changes AND NOT before STREQUAL after)
    message(FATAL_ERROR "${file} changes the code hash: every stored run would be lost")
  endif()
endfunction()

file(REMOVE_RECURSE ${TREE})
foreach(folder core/base core/integration problems formulations methods multiplier_solvers analysis experiments)
  expect_change(${folder}/x.cpp TRUE)
  expect_change(${folder}/x.hpp TRUE)
endforeach()
expect_change(methods/tableau.json TRUE)
foreach(folder results report app tests docs/examples)
  expect_change(${folder}/x.cpp FALSE)
endforeach()
