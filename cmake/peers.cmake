# Modules of established codes: modules/peers/peer.hpp. Each is built where its package is there.
set(peer_modules "")
# add_peer(NAME SOURCES...)
function(add_peer name)
  list(TRANSFORM ARGN PREPEND modules/peers/)
  add_module(${name} ${ARGN})
  set(peer_modules ${peer_modules} ${name}_module PARENT_SCOPE)
endfunction()

add_peer(odeint odeint_module.cpp)
target_link_libraries(odeint_module PRIVATE Boost::headers)

find_path(GSL_INCLUDE_DIR gsl/gsl_odeiv2.h)
find_library(GSL_LIBRARY gsl)
find_library(GSL_BLAS_LIBRARY gslcblas)
if(GSL_INCLUDE_DIR AND GSL_LIBRARY AND GSL_BLAS_LIBRARY)
  add_peer(gsl gsl_module.cpp)
  target_include_directories(gsl_module SYSTEM PRIVATE ${GSL_INCLUDE_DIR})
  target_link_libraries(gsl_module PRIVATE ${GSL_LIBRARY} ${GSL_BLAS_LIBRARY})
endif()

find_path(SUNDIALS_INCLUDE_DIR arkode/arkode_arkstep.h)
find_library(SUNDIALS_CORE_LIBRARY NAMES sundials_core sundials_generic)  # from 7 on, before
set(sundials_libraries ${SUNDIALS_CORE_LIBRARY})
foreach(part cvode ida arkode nvecserial sunnonlinsolfixedpoint sunmatrixsparse sunlinsolklu)
  find_library(SUNDIALS_${part}_LIBRARY sundials_${part})
  list(APPEND sundials_libraries ${SUNDIALS_${part}_LIBRARY})
endforeach()
if(SUNDIALS_INCLUDE_DIR AND NOT sundials_libraries MATCHES "NOTFOUND")
  add_peer(sundials sundials_module.cpp sundials_parts.cpp sundials_cvode.cpp sundials_ida.cpp sundials_arkode.cpp)
  target_include_directories(sundials_module SYSTEM PRIVATE ${SUNDIALS_INCLUDE_DIR} ${SUITESPARSE_INCLUDE_DIR})
  target_link_libraries(sundials_module PRIVATE ${sundials_libraries})
  file(STRINGS ${SUNDIALS_INCLUDE_DIR}/sundials/sundials_types.h includes_mpi REGEX "^#include <mpi.h>")
  if(includes_mpi)  # from 7 on, where it was built with MPI
    find_package(MPI REQUIRED COMPONENTS CXX)
    target_link_libraries(sundials_module PRIVATE MPI::MPI_CXX)
  endif()
  # -O3: its loops over vectors in parallel lanes. Names of ARKStep that 7 has under others, too, are all that 6 has.
  target_compile_options(sundials_module PRIVATE -O3 -Wno-deprecated-declarations)
endif()

# Shared libraries without headers, and stacks of their own for the codes in them. deSolve's is a package's of R, its
# name is no library's: the linker is told the file.
find_library(BOOST_CONTEXT_LIBRARY boost_context)
find_library(DESOLVE_LIBRARY deSolve.so PATH_SUFFIXES R/site-library/deSolve/libs)
if(DESOLVE_LIBRARY AND BOOST_CONTEXT_LIBRARY)
  add_peer(desolve desolve_module.cpp desolve_daspk.cpp desolve_radau5.cpp radau_integrator.cpp hairer_form.cpp)
  target_link_libraries(desolve_module PRIVATE -Wl,${DESOLVE_LIBRARY} ${BOOST_CONTEXT_LIBRARY} Boost::headers)
endif()

find_library(SICONOS_LIBRARY libsiconos_externals.so.7)
if(SICONOS_LIBRARY AND BOOST_CONTEXT_LIBRARY)
  file(REAL_PATH ${SICONOS_LIBRARY} siconos_file)
  string(REGEX REPLACE "^.*[.]so[.]" "" siconos_version ${siconos_file})
  add_peer(siconos siconos_module.cpp radau_integrator.cpp hairer_form.cpp)
  target_compile_definitions(siconos_module PRIVATE DAELAB_SICONOS_VERSION="${siconos_version}")
  target_link_libraries(siconos_module PRIVATE -Wl,${SICONOS_LIBRARY} ${BOOST_CONTEXT_LIBRARY} Boost::headers)
endif()
