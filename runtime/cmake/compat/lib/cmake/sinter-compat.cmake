# Shared by the packages in this folder. Each lets a project that was written for another
# implementation of SYCL find Sinter under that implementation's name, with the targets, variables
# and functions that such projects use.
#
# In: the caller's find_package. Out: Sinter, or `<Package>_NOT_FOUND_MESSAGE`. The names of targets
# and variables are those of the implementations; the code is not.
cmake_minimum_required(VERSION 3.20)
find_package(Sinter CONFIG QUIET PATHS "${CMAKE_CURRENT_LIST_DIR}/../../../../../../lib/cmake/Sinter" NO_DEFAULT_PATH)
if(NOT Sinter_FOUND)
  set(${CMAKE_FIND_PACKAGE_NAME}_FOUND FALSE)
  set(${CMAKE_FIND_PACKAGE_NAME}_NOT_FOUND_MESSAGE "it is a name for Sinter here: ${Sinter_NOT_FOUND_MESSAGE}")
  return()
endif()

# Targets may get kernels by flags and by linking alone, so this folder and its subfolders use the
# launcher throughout, and so do try_compile projects.
_sinter_prepend_launcher(CMAKE_CXX_COMPILER_LAUNCHER)
if(NOT "CMAKE_CXX_COMPILER_LAUNCHER" IN_LIST CMAKE_TRY_COMPILE_PLATFORM_VARIABLES)
  list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CMAKE_CXX_COMPILER_LAUNCHER)
endif()

# Defines a target that stands for the runtime.
function(_sinter_compat_runtime name)
  if(NOT TARGET ${name})
    add_library(${name} INTERFACE IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${SINTER_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES Sinter::Sinter)
  endif()
endfunction()

# Defines a target that stands for runtime and compiler: targets that link it may have kernels.
function(_sinter_compat_compiler name)
  _sinter_compat_runtime(${name})
  set_target_properties(${name} PROPERTIES
    INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:-D${SINTER_KERNEL_DEFINITION}>"
    INTERFACE_LINK_DIRECTORIES "${SINTER_LIBRARY_DIR}")
endfunction()

# Marks all C++ files of a target as files with kernels.
function(_sinter_compat_whole_target target scope)
  _sinter_mark_target(${target} ${scope})
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    _sinter_launch(${target})
  endif()
  _sinter_link(${target} ${scope})
endfunction()
