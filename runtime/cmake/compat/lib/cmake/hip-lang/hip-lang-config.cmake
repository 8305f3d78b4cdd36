# What CMake loads when a project enables the language HIP: the target with the runtime.
get_filename_component(_sinter_prefix "${CMAKE_CURRENT_LIST_DIR}/../../../../../../.." ABSOLUTE)
if(NOT TARGET hip-lang::device)
  add_library(hip-lang::device INTERFACE IMPORTED GLOBAL)
  set_target_properties(hip-lang::device PROPERTIES
    INTERFACE_LINK_LIBRARIES "${_sinter_prefix}/lib/libsinter.so")
endif()
set(_CMAKE_HIP_DEVICE_RUNTIME_TARGET hip-lang::device)
unset(_sinter_prefix)
