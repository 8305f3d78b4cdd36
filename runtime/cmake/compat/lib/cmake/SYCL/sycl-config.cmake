# Sinter for projects that call find_package(SYCL), the name in early versions of oneAPI.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/../sinter-oneapi.cmake")
if(NOT Sinter_FOUND)
  return()
endif()
_sinter_compat_compiler(SYCL::SYCL)

# add_sycl_to_target(TARGET <target> [SOURCES <file>...]), which here also adds the files to the
# target.
function(add_sycl_to_target)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "TARGET" "SOURCES")
  _sinter_check(add_sycl_to_target "${ARG_TARGET}")
  if(ARG_SOURCES)
    sinter_add_sources(${ARG_TARGET} ${ARG_SOURCES})
  else()
    _sinter_oneapi_mark(${ARG_TARGET})
  endif()
endfunction()
