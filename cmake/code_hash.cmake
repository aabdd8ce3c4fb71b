# Writes HEADER with the VERSION, the commit, a hash of all sources that can change a number, and the
# compiler FLAGS.
# The file is touched only when its text changes, so an unchanged tree rebuilds nothing.
# Run: cmake -D ROOT=<source dir> -D HEADER=<file> -D VERSION=<text> -D FLAGS=<text> -P cmake/code_hash.cmake
include(${CMAKE_CURRENT_LIST_DIR}/source_folders.cmake)
source_folders(numbers folders)
set(contents "")
foreach(folder ${folders})
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.hpp)
  if(folder STREQUAL "methods")
    file(GLOB_RECURSE tableaus RELATIVE ${ROOT} ${ROOT}/methods/*.json)
    list(APPEND files ${tableaus})
  endif()
  list(SORT files)
  foreach(file ${files})
    file(SHA256 ${ROOT}/${file} hash)
    string(APPEND contents "${file} ${hash}\n")
  endforeach()
endforeach()
string(SHA256 code_hash "${contents}")
string(SUBSTRING ${code_hash} 0 16 code_hash)

# "-modified" when a source differs from the commit; "unknown" without git or outside a repository.
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${ROOT}/.git)
  execute_process(COMMAND ${GIT} -C ${ROOT} rev-parse --verify HEAD OUTPUT_VARIABLE head RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(commit ${head})
    source_folders(numbers library program compiled)
    execute_process(COMMAND ${GIT} -C ${ROOT} --no-optional-locks status --porcelain -- ${compiled} cmake CMakeLists.txt
                            CMakePresets.json
                    OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND commit "-modified")
    endif()
  endif()
endif()

string(CONFIGURE [[#define DAELAB_VERSION "@VERSION@"
#define DAELAB_GIT_COMMIT "@commit@"
#define DAELAB_CODE_HASH "@code_hash@"
#define DAELAB_BUILD_FLAGS "@FLAGS@"
]] text @ONLY)
set(old_text "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} old_text)
endif()
if(NOT text STREQUAL old_text)
  file(WRITE ${HEADER} "${text}")
endif()
