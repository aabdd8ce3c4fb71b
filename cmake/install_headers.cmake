# Installs the headers below FOLDERS as include/daelab/...; there they include each other by that name, for core/, lab/ and
# the like would be in the way of other projects' headers.
# Run by cmake --install, which knows the prefix, with ROOT and FOLDERS.
string(REPLACE ";" "|" rooms "${FOLDERS}")
foreach(folder ${FOLDERS})
  file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/${folder}/*.hpp)
  foreach(header ${headers})
    file(READ ${ROOT}/${header} text)
    string(REGEX REPLACE "#include \"(${rooms})/" "#include \"daelab/\\1/" text "${text}")
    file(WRITE "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/include/daelab/${header}" "${text}")
  endforeach()
endforeach()
