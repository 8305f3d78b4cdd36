# Installs the runtime with the programs that use it.

# sinter_install_runtime(TARGETS <target>... [DESTINATION <folder>] [RUNTIME_DESTINATION <folder>]
#                        [LIBRARY_DESTINATION <folder>] [COMPONENT <name>])
#
# Installs the runtime and its translator into DESTINATION (default: CMAKE_INSTALL_LIBDIR, else
# lib). The installed targets find them there by a path relative to their own folder:
# RUNTIME_DESTINATION (default: CMAKE_INSTALL_BINDIR, else bin) for programs, LIBRARY_DESTINATION
# (default: DESTINATION) for libraries. The prefix can thus be moved as a whole, and needs neither
# this installation of Sinter nor a compiler. Name the folders that `install(TARGETS)` gets, if it
# gets others.
function(sinter_install_runtime)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "DESTINATION;RUNTIME_DESTINATION;LIBRARY_DESTINATION;COMPONENT" "TARGETS")
  if(NOT ARG_TARGETS OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "sinter_install_runtime: say `TARGETS <target>...`, and keywords for all else: `${ARGV}`")
  endif()
  _sinter_default(ARG_DESTINATION "${CMAKE_INSTALL_LIBDIR}" lib)
  _sinter_default(ARG_RUNTIME_DESTINATION "${CMAKE_INSTALL_BINDIR}" bin)
  _sinter_default(ARG_LIBRARY_DESTINATION "${ARG_DESTINATION}" lib)
  set(component)
  if(ARG_COMPONENT)
    set(component COMPONENT "${ARG_COMPONENT}")
  endif()
  install(PROGRAMS "${SINTER_LIBRARY_DIR}/libsinter.so" "${SINTER_LIBRARY_DIR}/libsinter_translate.so"
    DESTINATION "${ARG_DESTINATION}" ${component})
  foreach(target IN LISTS ARG_TARGETS)
    _sinter_check(sinter_install_runtime "${target}")
    get_target_property(type ${target} TYPE)
    if(type STREQUAL "EXECUTABLE")
      _sinter_run_path(${target} "${ARG_RUNTIME_DESTINATION}" "${ARG_DESTINATION}")
    elseif(type MATCHES "^(SHARED|MODULE)_LIBRARY$")
      _sinter_run_path(${target} "${ARG_LIBRARY_DESTINATION}" "${ARG_DESTINATION}")
    endif()
  endforeach()
endfunction()

# Sets a variable that is empty to the first value that is not.
macro(_sinter_default variable)
  foreach(_sinter_value IN ITEMS ${ARGN})
    if(NOT ${variable})
      set(${variable} "${_sinter_value}")
    endif()
  endforeach()
  unset(_sinter_value)
endmacro()

# Lets a target that is installed into `from` find libraries in `to`; both may be relative to the
# prefix.
function(_sinter_run_path target from to)
  get_filename_component(from "${from}" ABSOLUTE BASE_DIR "/prefix")
  get_filename_component(to "${to}" ABSOLUTE BASE_DIR "/prefix")
  file(RELATIVE_PATH path "${from}" "${to}")
  set_property(TARGET ${target} APPEND PROPERTY INSTALL_RPATH "$ORIGIN/${path}")
endfunction()
