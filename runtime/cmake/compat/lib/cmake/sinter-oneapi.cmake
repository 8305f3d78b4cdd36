# Shared by the packages of Intel's oneAPI.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/sinter-compat.cmake")
if(NOT Sinter_FOUND)
  return()
endif()

set(SYCL_COMPILER "${SINTER_CC}")
set(SYCL_IMPLEMENTATION_ID "Sinter")
set(SYCL_PACKAGE_DIR "${SINTER_PREFIX}")
set(SYCL_INCLUDE_DIR "${SINTER_INCLUDE_DIR}")
set(SYCL_INCLUDE_DIRS "${SINTER_INCLUDE_DIR}")
set(SYCL_INCLUDE_SYCL_DIR "${SINTER_INCLUDE_DIR}/sycl")
set(SYCL_LIBRARY_DIR "${SINTER_LIBRARY_DIR}")
file(STRINGS "${SINTER_INCLUDE_DIR}/sycl/detail/config.hpp" SYCL_LANGUAGE_VERSION REGEX "define SYCL_LANGUAGE_VERSION ")
string(REGEX MATCH "[0-9]+" SYCL_LANGUAGE_VERSION "${SYCL_LANGUAGE_VERSION}")
# Marks a file as one with kernels; the targets and sinter-cc add the folder of headers.
set(SYCL_FLAGS "-D${SINTER_KERNEL_DEFINITION}")
# Options precede the objects of a link, where `--as-needed` would drop the library.
set(SYCL_LINK_FLAGS "-Wl,--no-as-needed,${SINTER_LIBRARY_DIR}/libsinter.so,-rpath,${SINTER_LIBRARY_DIR}")

# Marks the named files of a target, or all of them.
function(_sinter_oneapi_mark target)
  if(ARGN)
    _sinter_paths(add_sycl_to_target paths ${ARGN})
    _sinter_mark_sources(${target} ${paths})
    _sinter_launch(${target})
    _sinter_link(${target} PUBLIC)
  else()
    _sinter_compat_whole_target(${target} PUBLIC)
  endif()
endfunction()
