# Sinter for projects that call find_package(CUDAToolkit).
#
# Out: CUDA::cudart and its siblings, which stand for the runtime. Libraries of NVIDIA such as cuBLAS
# have no target, so that a project which needs one says so.
find_package(Sinter CONFIG QUIET PATHS "${CMAKE_CURRENT_LIST_DIR}/../../../../../lib/cmake/Sinter" NO_DEFAULT_PATH)
if(NOT Sinter_FOUND)
  set(CUDAToolkit_FOUND FALSE)
  set(CUDAToolkit_NOT_FOUND_MESSAGE "it is a name for Sinter here: ${Sinter_NOT_FOUND_MESSAGE}")
  if(CUDAToolkit_FIND_REQUIRED)
    message(FATAL_ERROR "${CUDAToolkit_NOT_FOUND_MESSAGE}")
  endif()
  return()
endif()

foreach(_sinter_name IN ITEMS toolkit cudart cudart_static cuda_driver)
  if(NOT TARGET CUDA::${_sinter_name})
    add_library(CUDA::${_sinter_name} INTERFACE IMPORTED GLOBAL)
    set_target_properties(CUDA::${_sinter_name} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${SINTER_INCLUDE_DIR};${SINTER_INCLUDE_DIR}/cuda"
      INTERFACE_LINK_LIBRARIES Sinter::Sinter)
  endif()
endforeach()
unset(_sinter_name)

set(CUDAToolkit_FOUND TRUE)
set(CUDAToolkit_VERSION 12.0)
set(CUDAToolkit_VERSION_MAJOR 12)
set(CUDAToolkit_VERSION_MINOR 0)
set(CUDAToolkit_BIN_DIR "${SINTER_PREFIX}/bin")
set(CUDAToolkit_NVCC_EXECUTABLE "${SINTER_PREFIX}/bin/nvcc")
set(CUDAToolkit_INCLUDE_DIRS "${SINTER_INCLUDE_DIR}/cuda")
set(CUDAToolkit_LIBRARY_DIR "${SINTER_LIBRARY_DIR}")
set(CUDAToolkit_TARGET_DIR "${CMAKE_CURRENT_LIST_DIR}/..")
set(CUDAToolkit_LIBRARY_ROOT "${CMAKE_CURRENT_LIST_DIR}/..")
