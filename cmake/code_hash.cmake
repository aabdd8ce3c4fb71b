# Writes HEADER with the VERSION, the commit, the compiler FLAGS, a hash of all sources that can change a number, and
# what the keys of stored runs are made of (results/sources.hpp): DAELAB_SOURCES, for every source file the hash of the
# part of the program that it belongs to,
#   its own       of a file that registers components, or that says what runs of some kind are; with the headers that it
#                 includes, and with all of analysis/ or of the engine of a family of methods where it includes some of it
#   the engines'  of all others: core/, how runs are carried out
# The file is touched only when its text changes, so an unchanged tree rebuilds nothing.
# Run: cmake -D ROOT=<source dir> -D HEADER=<file> -D VERSION=<text> -D FLAGS=<text> -P cmake/code_hash.cmake
include(${CMAKE_CURRENT_LIST_DIR}/source_folders.cmake)

# short_hash(TEXT OUT)
function(short_hash text out)
  string(SHA256 hash "${text}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${out} ${hash} PARENT_SCOPE)
endfunction()

# Whose change changes no run: what chooses runs and evaluates them. A tableau is hashed by who reads it, a header that
# components share with those who include it.
set(in_no_run "^experiments/(measures|references)/|^lab/runs/(cells|config|evaluate_task|experiment|inputs|json_schema|overrides|repeats|run_sources|schedule)[.]|[.]json$|^(problems|formulations|multiplier_solvers)/.*[.]hpp$")

# with_header(FILE OUT): itself, and the header of its name where there is one
function(with_header file out)
  string(REGEX REPLACE "[.]cpp$" ".hpp" header ${file})
  set(files ${file} ${header})
  list(REMOVE_DUPLICATES files)
  if(NOT EXISTS ${ROOT}/${header})
    set(files ${file})
  endif()
  set(${out} ${files} PARENT_SCOPE)
endfunction()

# part_of(FILE OUT): the variable that its line goes into, "" for none; shared_ROOM goes with all who include a file of it
function(part_of file out)
  set(marks "")
  with_header(${file} files)
  foreach(part_file ${files})
    file(STRINGS ${ROOT}/${part_file} found REGEX "^const [A-Za-z]+Entry<|^#include \"analysis/")
    list(APPEND marks ${found})
  endforeach()
  if(file MATCHES "${in_no_run}")
    set(part "")
  elseif(file MATCHES "^analysis/")
    set(part shared_analysis)
  elseif(file MATCHES "^experiments/kinds/|^docs/" OR (marks AND file MATCHES "[.]cpp$"))
    set(part own)
  elseif(file MATCHES "^(methods|modules)/([^/]*)/")
    set(part shared_methods/${CMAKE_MATCH_2})
  else()
    set(part engines)
  endif()
  set(${out} "${part}" PARENT_SCOPE)
endfunction()

# included_by(FILE ROOMS OUT): the lines of what it includes of these rooms, a regular expression
function(included_by file rooms out)
  set(text "")
  file(STRINGS ${ROOT}/${file} includes REGEX "^#include \"(${rooms})/")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" header "${include}")
    get_filename_component(room ${header} DIRECTORY)
    if(DEFINED shared_${room})
      string(APPEND text "${shared_${room}}")
    elseif(EXISTS ${ROOT}/${header})
      file(SHA256 ${ROOT}/${header} hash)
      included_by(${header} ${rooms} more)
      string(APPEND text "${header} ${hash}\n${more}")
    endif()
  endforeach()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

source_folders(numbers examples folders)
list(APPEND folders modules/peers)  # the other modules change no number
foreach(name contents engines own engines_files own_files shared_analysis_files)
  set(${name} "")
endforeach()
foreach(folder ${folders})
  file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${folder}/*.cpp ${ROOT}/${folder}/*.hpp)
  if(folder STREQUAL "methods")
    file(GLOB_RECURSE tableaus RELATIVE ${ROOT} ${ROOT}/methods/*.json)
    list(APPEND files ${tableaus})
  endif()
  list(FILTER files EXCLUDE REGEX "^lab/[^/]*$")  # the library's doors change no number
  list(SORT files)
  foreach(file ${files})
    file(SHA256 ${ROOT}/${file} hash)
    part_of(${file} part)
    if(part)
      string(APPEND ${part} "${file} ${hash}\n")
      list(APPEND ${part}_files ${file})
    endif()
    if(NOT file MATCHES "^docs/")
      string(APPEND contents "${file} ${hash}\n")
    endif()
  endforeach()
endforeach()
# What a record holds, and how it is written.
file(GLOB record_files RELATIVE ${ROOT} ${ROOT}/results/run_record.* ${ROOT}/results/record_values.*)
foreach(file ${record_files})
  file(SHA256 ${ROOT}/${file} hash)
  string(APPEND engines "${file} ${hash}\n")
  string(APPEND contents "${file} ${hash}\n")
endforeach()
short_hash("${contents}" code_hash)
short_hash("${engines}" engines)
foreach(file ${shared_analysis_files})
  included_by(${file} methods text)
  string(APPEND shared_analysis "${text}")
endforeach()

set(sources "{\"engines\", \"${engines}\"}")
list(FILTER engines_files INCLUDE REGEX "[.]cpp$")
foreach(file ${engines_files})
  string(APPEND sources ", {\"${file}\", \"${engines}\"}")
endforeach()
foreach(file ${own_files})
  file(SHA256 ${ROOT}/${file} hash)
  set(text "")
  with_header(${file} files)
  foreach(part_file ${files})
    included_by(${part_file} "analysis|formulations|methods|multiplier_solvers|problems" included)
    string(APPEND text "${included}")
  endforeach()
  short_hash("${hash} ${text}" hash)
  string(APPEND sources ", {\"${file}\", \"${hash}\"}")
endforeach()

# "-modified" when a source differs from the commit; "unknown" without git or outside a repository.
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${ROOT}/.git)
  execute_process(COMMAND ${GIT} -C ${ROOT} rev-parse --verify HEAD OUTPUT_VARIABLE head RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(commit ${head})
    source_folders(numbers library modules program compiled)
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
#define DAELAB_SOURCES @sources@
]] text @ONLY)
set(old_text "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} old_text)
endif()
if(NOT text STREQUAL old_text)
  file(WRITE ${HEADER} "${text}")
endif()
