# What the packages of AdaptiveCpp share, under its present and its former names.
cmake_minimum_required(VERSION 3.20)
include("${CMAKE_CURRENT_LIST_DIR}/sinter-compat.cmake")
if(NOT Sinter_FOUND)
  return()
endif()

# The settings of a project: `prefix` is ACPP, OPENSYCL or HIPSYCL.
macro(_sinter_acpp_settings prefix)
  set(${prefix}_TARGETS "${${prefix}_TARGETS}" CACHE STRING "Ignored: Sinter compiles kernels for all devices when they are launched.")
  set(${prefix}_EXTRA_ARGS "${${prefix}_EXTRA_ARGS}" CACHE STRING "Flags for files with kernels; those of AdaptiveCpp are ignored.")
  set(${prefix}_EXTRA_COMPILE_OPTIONS "${${prefix}_EXTRA_COMPILE_OPTIONS}" CACHE STRING "Flags for the files that add_sycl_to_target names, or for all of the target.")
  set(${prefix}_COMPILER "${SINTER_CC}")
endmacro()

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

# AdaptiveCpp compiles all files of a target, whichever are named.
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
