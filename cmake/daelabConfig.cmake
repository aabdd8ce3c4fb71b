include(CMakeFindDependencyMacro)
find_dependency(Eigen3 3.4)
find_dependency(fmt 9)
include(${CMAKE_CURRENT_LIST_DIR}/daelabTargets.cmake)
