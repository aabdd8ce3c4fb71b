# source_folders(ROLE... OUT): the folders of cmake/source_folders.txt that play one of these roles, in the order of the list.
set(DAELAB_FOLDER_LIST ${CMAKE_CURRENT_LIST_DIR}/source_folders.txt)

function(source_folders)
  list(POP_BACK ARGN out)
  string(JOIN "|" roles ${ARGN})
  file(STRINGS ${DAELAB_FOLDER_LIST} lines REGEX "^[^#]")
  list(FILTER lines INCLUDE REGEX " (${roles})$")
  list(TRANSFORM lines REPLACE " .*" "")
  set(${out} ${lines} PARENT_SCOPE)
endfunction()
