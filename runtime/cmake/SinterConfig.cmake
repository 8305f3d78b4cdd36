# Sinter for CMake 3.20 and later.
#
#   find_package(Sinter REQUIRED)
#   target_link_libraries(app PRIVATE Sinter::Sinter)   # the runtime and sinter/sinter.h
#   sinter_add_sources(app kernels.cpp)                 # C++ files with SYCL kernels
#   sinter_install_runtime(TARGETS app)                 # what the installed program needs
#
# sinter-cc compiles files with kernels. If CMAKE_CXX_COMPILER is another compiler, the target gets
# a launcher that starts sinter-cc for them, and the rest of the project keeps its compiler. CMake
# thus treats them as its other files: with flags of the configuration, properties, dependencies and
# lines in compile_commands.json.
cmake_minimum_required(VERSION 3.20)

get_filename_component(SINTER_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(SINTER_CC "${SINTER_PREFIX}/bin/sinter-cc")
set(SINTER_INCLUDE_DIR "${SINTER_PREFIX}/include")
set(SINTER_LIBRARY_DIR "${SINTER_PREFIX}/lib")

foreach(_sinter_file IN ITEMS "${SINTER_CC}" "${SINTER_LIBRARY_DIR}/libsinter.so"
    "${SINTER_INCLUDE_DIR}/sinter/sinter.h")
  if(NOT EXISTS "${_sinter_file}")
    set(Sinter_FOUND FALSE)
    set(Sinter_NOT_FOUND_MESSAGE "${_sinter_file} is missing; unpack the whole archive, or run `cargo xtask build`")
    return()
  endif()
endforeach()
unset(_sinter_file)

if(NOT TARGET Sinter::Sinter)
  # Global, because targets of other folders that link a static library need it too.
  add_library(Sinter::Sinter SHARED IMPORTED GLOBAL)
  set_target_properties(Sinter::Sinter PROPERTIES
    IMPORTED_LOCATION "${SINTER_LIBRARY_DIR}/libsinter.so"
    IMPORTED_SONAME "libsinter.so"
    INTERFACE_INCLUDE_DIRECTORIES "${SINTER_INCLUDE_DIR}")
endif()

# sinter-cc searches this folder by default, so CMake would leave it out of its commands; but tools
# that read those commands need it.
list(REMOVE_ITEM CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES "${SINTER_INCLUDE_DIR}")

include("${CMAKE_CURRENT_LIST_DIR}/SinterKernels.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/SinterInstall.cmake")
