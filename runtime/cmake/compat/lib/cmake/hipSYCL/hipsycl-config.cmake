# Sinter for projects that call find_package(hipSYCL), a former name of AdaptiveCpp.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-acpp.cmake")
if(NOT Sinter_FOUND)
  return()
endif()
_sinter_acpp_settings(HIPSYCL)
_sinter_compat_runtime(hipSYCL::hipSYCL-rt)
_sinter_compat_runtime(hipSYCL::hipSYCL-common)

# add_sycl_to_target(TARGET <target> [SOURCES <file>...])
function(add_sycl_to_target)
  _sinter_acpp_add(HIPSYCL PRIVATE ${ARGN})
endfunction()
