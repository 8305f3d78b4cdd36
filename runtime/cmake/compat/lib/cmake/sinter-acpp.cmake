# Shared by the packages of AdaptiveCpp under its present and its former names. Each sets first
# `_sinter_acpp_prefix`, how its variables begin (ACPP, OPENSYCL or HIPSYCL), and
# `_sinter_acpp_targets`, its libraries.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/sinter-compat.cmake")
if(NOT Sinter_FOUND)
  return()
endif()

# Prints the flags of `words` that Sinter ignores, and gives those that are the compiler's.
function(_sinter_acpp_flags words result)
  separate_arguments(flags UNIX_COMMAND "${words}")
  set(ignored ${flags})
  list(FILTER ignored INCLUDE REGEX "^--(acpp|opensycl|hipsycl)-")
  list(FILTER flags EXCLUDE REGEX "^--(acpp|opensycl|hipsycl)-")
  if(ignored)
    message(STATUS "Sinter ignores flags of AdaptiveCpp: ${ignored}")
  endif()
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# AdaptiveCpp compiles all files of a target, even if only some are named.
function(_sinter_acpp_add prefix scope)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "TARGET" "SOURCES")
  _sinter_check(add_sycl_to_target "${ARG_TARGET}")
  _sinter_compat_whole_target(${ARG_TARGET} ${scope})
  _sinter_acpp_flags("${${prefix}_EXTRA_ARGS}" flags)
  set_property(TARGET ${ARG_TARGET} APPEND PROPERTY COMPILE_OPTIONS ${flags})
  if(ARG_SOURCES AND ${prefix}_EXTRA_COMPILE_OPTIONS)
    set_property(SOURCE ${ARG_SOURCES} APPEND PROPERTY COMPILE_OPTIONS ${${prefix}_EXTRA_COMPILE_OPTIONS})
  elseif(${prefix}_EXTRA_COMPILE_OPTIONS)
    set_property(TARGET ${ARG_TARGET} APPEND PROPERTY COMPILE_OPTIONS
      "$<$<COMPILE_LANGUAGE:CXX>:${${prefix}_EXTRA_COMPILE_OPTIONS}>")
  endif()
endfunction()

set(${_sinter_acpp_prefix}_TARGETS "${${_sinter_acpp_prefix}_TARGETS}" CACHE STRING "Ignored: Sinter compiles kernels for all devices when they are launched.")
set(${_sinter_acpp_prefix}_EXTRA_ARGS "${${_sinter_acpp_prefix}_EXTRA_ARGS}" CACHE STRING "Flags for files with kernels; those of AdaptiveCpp are ignored.")
set(${_sinter_acpp_prefix}_EXTRA_COMPILE_OPTIONS "${${_sinter_acpp_prefix}_EXTRA_COMPILE_OPTIONS}" CACHE STRING "Flags for the files that add_sycl_to_target names.")
set(${_sinter_acpp_prefix}_COMPILER "${SINTER_CC}")
foreach(_sinter_acpp_target ${_sinter_acpp_targets})
  _sinter_compat_runtime(${_sinter_acpp_target})
endforeach()

# add_sycl_to_target(TARGET <target> [SOURCES <file>...]). It is evaluated, as the prefix is that of
# the package found last.
cmake_language(EVAL CODE "
function(add_sycl_to_target)
  _sinter_acpp_add(${_sinter_acpp_prefix} PRIVATE \${ARGN})
endfunction()")
