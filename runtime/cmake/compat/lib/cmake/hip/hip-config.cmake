# Sinter for projects that call find_package(hip).
#
# hip::host is for host code that calls the API, hip::device for C++ files that have kernels, which
# are compiled as HIP; with another compiler than sinter-cc a launcher starts that for them.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-compat.cmake")
if(NOT Sinter_FOUND)
  return()
endif()

_sinter_compat_runtime(hip::host)
set_target_properties(hip::host PROPERTIES INTERFACE_COMPILE_DEFINITIONS "__HIP_PLATFORM_AMD__=1")
_sinter_compat_runtime(hip::amdhip64)
_sinter_compat_compiler(hip::device)
set_target_properties(hip::device PROPERTIES
  INTERFACE_COMPILE_OPTIONS
    "$<$<COMPILE_LANGUAGE:CXX>:-D${SINTER_KERNEL_DEFINITION}>;$<$<COMPILE_LANGUAGE:CXX>:SHELL:-x hip>")

set(hip_VERSION 6.0.0)
set(HIP_PLATFORM amd)
set(HIP_COMPILER clang)
set(HIP_RUNTIME rocclr)
set(hip_INCLUDE_DIR "${SINTER_INCLUDE_DIR}")
set(hip_INCLUDE_DIRS "${SINTER_INCLUDE_DIR}")
set(hip_LIBRARIES hip::host)
set(hip_HIPCC_EXECUTABLE "${SINTER_PREFIX}/bin/hipcc")
