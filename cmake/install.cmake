# cmake --install: a prefix that may be moved, where the program finds its data from its own place (core/base/paths.hpp);
# cpack -G DEB: the component `program` as a package of this distribution.
#   bin/daelab                the program
#   lib/daelab                what it loads or starts: modules of HDF5, NumPy, ZIP, PDF and enclosures, the program for ranks of MPI (component mpi),
#                             modules of established codes (component peers)
#   share/daelab              methods, problems, packs, references; BibTeX
#   share/man, bash-completion, zsh, fish
#   share/doc/daelab          documents, licence, examples
#   lib, include/daelab       the library and its headers, for find_package(daelab) (component library)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # neither tests nor examples are built to be left out
set(parts lib/daelab)
install(TARGETS daelab_program RUNTIME DESTINATION bin COMPONENT program)
install(TARGETS pdf_module LIBRARY DESTINATION ${parts} COMPONENT program)
foreach(module hdf5_module numpy_module zip_module enclosures_module)
  if(TARGET ${module})
    install(TARGETS ${module} LIBRARY DESTINATION ${parts} COMPONENT program)
  endif()
endforeach()
foreach(module ${peer_modules})  # apart: their licences are not that of the program
  install(TARGETS ${module} LIBRARY DESTINATION ${parts} COMPONENT peers)
endforeach()
if(TARGET daelab_mpi)
  install(TARGETS daelab_mpi RUNTIME DESTINATION ${parts} COMPONENT mpi OPTIONAL)
endif()
foreach(folder methods problems experiments results)
  install(DIRECTORY ${folder} DESTINATION share/daelab COMPONENT program
          FILES_MATCHING PATTERN *.json PATTERN *.csv PATTERN certificates EXCLUDE)
endforeach()
install(FILES results/references.bib DESTINATION share/daelab/results COMPONENT program)
install(DIRECTORY docs/ DESTINATION share/doc/daelab COMPONENT program
        FILES_MATCHING PATTERN *.md PATTERN *.svg PATTERN examples/*)
install(FILES README.md CHANGELOG.md CITATION.cff DESTINATION share/doc/daelab COMPONENT program)
install(FILES LICENSE DESTINATION share/doc/daelab RENAME copyright COMPONENT program)

install(TARGETS daelab_library EXPORT daelab LIBRARY DESTINATION lib COMPONENT library)
install(TARGETS daelab_command RUNTIME DESTINATION ${parts} COMPONENT command OPTIONAL)  # for the Python package
install(EXPORT daelab NAMESPACE daelab:: FILE daelabTargets.cmake DESTINATION lib/cmake/daelab COMPONENT library)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/daelabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/daelabConfig.cmake ${PROJECT_BINARY_DIR}/daelabConfigVersion.cmake DESTINATION lib/cmake/daelab
        COMPONENT library)
source_folders(numbers library header_folders)
list(REMOVE_ITEM header_folders cluster)  # for the program alone
install(CODE "set(ROOT \"${PROJECT_SOURCE_DIR}\")
set(FOLDERS \"${header_folders}\")
include(\"${PROJECT_SOURCE_DIR}/cmake/install_headers.cmake\")" COMPONENT library)

# The manual page and what shells complete words by: the program writes them from the definition of its command line.
function(install_output folder file)
  set(path ${PROJECT_BINARY_DIR}/written/${file})
  install(CODE "file(MAKE_DIRECTORY \"${PROJECT_BINARY_DIR}/written\")
execute_process(COMMAND \"${CMAKE_COMMAND}\" -E env \"DAELAB_ROOT=${PROJECT_SOURCE_DIR}\" \"$<TARGET_FILE:daelab_program>\" ${ARGN}
                OUTPUT_FILE \"${path}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
  install(FILES ${path} DESTINATION ${folder} COMPONENT program)
endfunction()
install_output(share/man/man1 daelab.1 man)
install_output(share/bash-completion/completions daelab completion bash)
install_output(share/zsh/vendor-completions _daelab completion zsh)
install_output(share/fish/vendor_completions.d daelab.fish completion fish)

# The libraries are the ones the program was linked with: a package is for the distribution it was built on.
set(distribution unknown)
if(EXISTS /etc/os-release)
  file(STRINGS /etc/os-release lines REGEX "^(ID|VERSION_ID)=")
  list(TRANSFORM lines REPLACE "^[^=]*=\"?([^\"]*)\"?$" "\\1")
  list(SORT lines ORDER DESCENDING)
  string(JOIN "" distribution ${lines})
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};daelab;program;/")
set(CPACK_PACKAGE_NAME daelab)
set(CPACK_PACKAGE_CONTACT "The daelab authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "testbed for time integrators of constrained mechanics")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~${distribution}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "gnuplot-nox | gnuplot-qt | gnuplot-x11")
include(CPack)
