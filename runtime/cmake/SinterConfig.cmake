# Sinter for CMake 3.20 and later.
#
#   find_package(Sinter REQUIRED)
#   target_link_libraries(app PRIVATE Sinter::Sinter)   # the runtime and sinter/sinter.h
#   sinter_add_sources(app kernels.cpp)                 # C++ files with SYCL kernels
#
# Files with kernels are compiled by sinter-cc. If CMAKE_CXX_COMPILER is sinter-cc, sinter_add_sources only adds them to the
# target; otherwise it compiles them beside the others, and the rest of the project keeps its own compiler.
cmake_minimum_required(VERSION 3.20)

get_filename_component(SINTER_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(SINTER_CC "${SINTER_PREFIX}/bin/sinter-cc")

foreach(_sinter_file IN ITEMS "${SINTER_CC}" "${SINTER_PREFIX}/lib/libsinter.so" "${SINTER_PREFIX}/include/sinter/sinter.h")
  if(NOT EXISTS "${_sinter_file}")
    set(Sinter_FOUND FALSE)
    set(Sinter_NOT_FOUND_MESSAGE "${_sinter_file} is missing; unpack the whole archive, or run `cargo xtask build`")
    return()
  endif()
endforeach()
unset(_sinter_file)

if(NOT TARGET Sinter::Sinter)
  add_library(Sinter::Sinter SHARED IMPORTED)
  set_target_properties(Sinter::Sinter PROPERTIES
    IMPORTED_LOCATION "${SINTER_PREFIX}/lib/libsinter.so"
    IMPORTED_SONAME "libsinter.so"
    INTERFACE_INCLUDE_DIRECTORIES "${SINTER_PREFIX}/include")
endif()

# Whether the project's C++ compiler is sinter-cc, of this installation or another.
function(_sinter_compiles_all result)
  get_filename_component(name "${CMAKE_CXX_COMPILER}" NAME)
  if(name STREQUAL "sinter-cc")
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The flags that CMake would use for a C++ file of `target`, with generator expressions.
function(_sinter_flags target result)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  get_target_property(standard ${target} CXX_STANDARD)
  if(NOT standard)
    set(standard 17)
  endif()
  list(APPEND flags -std=c++${standard} -fPIC
    "$<$<BOOL:${includes}>:-I$<JOIN:${includes},$<SEMICOLON>-I>>"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
    "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>")
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# Adds C++ files with SYCL kernels to a target, and links the target with the runtime.
function(sinter_add_sources target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "sinter_add_sources: there is no target `${target}`; call add_executable or add_library first")
  endif()
  target_link_libraries(${target} PRIVATE Sinter::Sinter)
  _sinter_compiles_all(all)
  if(all)
    target_sources(${target} PRIVATE ${ARGN})
    return()
  endif()
  _sinter_flags(${target} flags)
  foreach(source IN LISTS ARGN)
    get_filename_component(path "${source}" ABSOLUTE)
    string(MD5 digest "${path}")
    string(SUBSTRING "${digest}" 0 8 digest)
    get_filename_component(name "${source}" NAME)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.sinter/${name}.${digest}.o")
    file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.sinter")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${SINTER_CC}" ${flags} -MD -MF "${object}.d" -MT "${object}" -c "${path}" -o "${object}"
      DEPENDS "${path}" "${SINTER_CC}" "${SINTER_PREFIX}/lib/libsinter_stage1.so"
      DEPFILE "${object}.d"
      COMMENT "Building kernels of ${source}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    target_sources(${target} PRIVATE "${object}")
  endforeach()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()
