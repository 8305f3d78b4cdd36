# Selects the files of a project that sinter-cc compiles.
#
# A file with kernels has `__SINTER__=1` among its definitions, set on the file or on its target.
# The launcher recognises it by that, and the headers require it, so that a tool which reads
# compile_commands.json sees what sinter-cc sees.
set(_SINTER_LAUNCH "${CMAKE_CURRENT_LIST_DIR}/launch.sh")
set(SINTER_KERNEL_DEFINITION "__SINTER__=1")

# Sets `result` to TRUE if the project's C++ compiler is sinter-cc, of this installation or another.
function(_sinter_compiles_all result)
  get_filename_component(name "${CMAKE_CXX_COMPILER}" NAME)
  if(name STREQUAL "sinter-cc")
    set(${result} TRUE PARENT_SCOPE)
  else()
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

# Puts our launcher before the launchers in the variable `list`, once.
function(_sinter_prepend_launcher list)
  _sinter_compiles_all(all)
  if(NOT all AND NOT _SINTER_LAUNCH IN_LIST ${list})
    set(${list} /bin/sh "${_SINTER_LAUNCH}" "${SINTER_CC}" "${CMAKE_CXX_COMPILER}" ${${list}} PARENT_SCOPE)
  endif()
endfunction()

# Lets sinter-cc compile the C++ files of a target that have the definition.
function(_sinter_launch target)
  get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
  if(NOT launcher)
    set(launcher "")
  endif()
  _sinter_prepend_launcher(launcher)
  set_property(TARGET ${target} PROPERTY CXX_COMPILER_LAUNCHER "${launcher}")
endfunction()

# Links a target with the runtime. It sets properties, because a project may use only one signature
# of target_link_libraries for a target.
function(_sinter_link target scope)
  get_target_property(type ${target} TYPE)
  if(NOT type STREQUAL "INTERFACE_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES Sinter::Sinter)
  endif()
  if(NOT scope STREQUAL "PRIVATE" OR type STREQUAL "INTERFACE_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES Sinter::Sinter)
  elseif(type MATCHES "^(STATIC|OBJECT)_LIBRARY$")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES "$<LINK_ONLY:Sinter::Sinter>")
  endif()
endfunction()

# Stops with an error if `caller` cannot work on `target`.
function(_sinter_check caller target)
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "${caller}: there is no target `${target}`; call add_executable or add_library first")
  endif()
  if(NOT CMAKE_CXX_COMPILER_LOADED)
    message(FATAL_ERROR "${caller}: files with kernels are C++; add CXX to the languages of project()")
  endif()
endfunction()

# Sets `result` to the absolute paths of files named relative to the current folder, each once.
function(_sinter_paths caller result)
  set(paths)
  foreach(source IN LISTS ARGN)
    if(source MATCHES "\\$<")
      message(FATAL_ERROR "${caller}: `${source}` is a generator expression; name the file itself")
    endif()
    get_filename_component(path "${source}" ABSOLUTE)
    list(APPEND paths "${path}")
  endforeach()
  list(REMOVE_DUPLICATES paths)
  set(${result} "${paths}" PARENT_SCOPE)
endfunction()

# Rebuilds the objects when the compiler changes.
function(_sinter_depend target)
  if(ARGN)
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY OBJECT_DEPENDS
      "${SINTER_CC}" "${SINTER_LIBRARY_DIR}/libsinter_stage1.so")
  endif()
endfunction()

# Marks files of a target as files with kernels. Other targets with the same file keep their
# compiler for it.
function(_sinter_mark_sources target)
  set_property(TARGET ${target} PROPERTY SINTER_KERNELS TRUE)
  set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_DEFINITIONS
    "$<$<BOOL:$<TARGET_PROPERTY:SINTER_KERNELS>>:${SINTER_KERNEL_DEFINITION}>")
  _sinter_depend(${target} ${ARGN})
  _sinter_compiles_all(all)
  if(NOT all)
    # Precompiled headers and module maps belong to the other compiler, and a unity file is compiled
    # by one compiler.
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_PRECOMPILE_HEADERS TRUE)
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY SKIP_UNITY_BUILD_INCLUSION TRUE)
    set_property(SOURCE ${ARGN} TARGET_DIRECTORY ${target} PROPERTY CXX_SCAN_FOR_MODULES FALSE)
  endif()
endfunction()

# Marks all C++ files of a target as files with kernels, and with scope PUBLIC those of targets that link it.
function(_sinter_mark_target target scope)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_compile_definitions(${target} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:${SINTER_KERNEL_DEFINITION}>")
  if(NOT scope STREQUAL "INTERFACE")
    set_property(TARGET ${target} PROPERTY CXX_SCAN_FOR_MODULES FALSE)
    _sinter_sources(${target} sources)
    _sinter_depend(${target} ${sources})
  endif()
endfunction()

# Sets `result` to the absolute paths of the files that a target has so far.
function(_sinter_sources target result)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(paths)
  foreach(source IN LISTS sources)
    if(source AND NOT source MATCHES "\\$<")
      get_filename_component(path "${source}" ABSOLUTE BASE_DIR "${folder}")
      list(APPEND paths "${path}")
    endif()
  endforeach()
  set(${result} "${paths}" PARENT_SCOPE)
endfunction()

# Adds C++ files with SYCL kernels to a target, and links the target with the runtime. Files that
# the target already has are not added again.
function(sinter_add_sources target)
  _sinter_check(sinter_add_sources "${target}")
  _sinter_paths(sinter_add_sources paths ${ARGN})
  if(NOT paths)
    message(FATAL_ERROR "sinter_add_sources(${target}) names no file")
  endif()
  _sinter_sources(${target} present)
  set(added ${paths})
  list(REMOVE_ITEM added ${present})
  target_sources(${target} PRIVATE ${added})
  _sinter_mark_sources(${target} ${paths})
  _sinter_launch(${target})
  _sinter_link(${target} PRIVATE)
endfunction()
