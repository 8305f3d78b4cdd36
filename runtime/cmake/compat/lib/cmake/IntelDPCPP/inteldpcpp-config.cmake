# Sinter for projects that call find_package(IntelDPCPP): from here on all C++ files of the folder
# may have kernels.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-oneapi.cmake")
if(NOT Sinter_FOUND)
  return()
endif()

if(NOT CMAKE_CXX_FLAGS MATCHES "${SINTER_KERNEL_DEFINITION}")
  string(APPEND CMAKE_CXX_FLAGS " ${SYCL_FLAGS}")
  link_libraries("$<$<LINK_LANGUAGE:CXX>:Sinter::Sinter>")
  include_directories(SYSTEM "$<$<COMPILE_LANGUAGE:CXX>:${SINTER_INCLUDE_DIR}>")
endif()
