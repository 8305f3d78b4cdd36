# Lets projects with LANGUAGES CUDA or HIP find Sinter: -DCMAKE_TOOLCHAIN_FILE=.../toolchain.cmake
#
# In: a project that enables one of these languages. Out: what CMake otherwise asks nvcc or ROCm's
# clang for, in variables of CMakeDetermineCUDACompiler.cmake and CMakeDetermineHIPCompiler.cmake.
# The compiler of C++ stays the project's. What the user has set before is kept.
get_filename_component(_sinter_prefix "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)

# The flags of this compiler are nvcc's, and it links programs too: CMake reads that from the output
# of a compilation with -v. One binary serves all devices: the architecture only satisfies projects
# that look for one.
set(CMAKE_CUDA_COMPILER "${_sinter_prefix}/bin/nvcc")
set(CMAKE_CUDA_COMPILER_ID "NVIDIA")
set(CMAKE_CUDA_COMPILER_ID_RUN 1)
set(CMAKE_CUDA_COMPILER_VERSION 12.0.0)
set(CMAKE_CUDA_SIMULATE_ID "Clang")
set(CMAKE_CUDA_SIMULATE_VERSION 19.1)
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT ON)
set(CMAKE_CUDA_PLATFORM_ID "Linux")
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT "${_sinter_prefix}")
set(CMAKE_CUDA_COMPILER_TOOLKIT_LIBRARY_ROOT "${_sinter_prefix}")
set(CMAKE_CUDA_COMPILER_LIBRARY_ROOT "${_sinter_prefix}")
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION 12.0)
string(CONCAT CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT
  "#$ PATH=${_sinter_prefix}/bin\n"
  "#$ INCLUDES=-I${_sinter_prefix}/include/cuda\n"
  "#$ LIBRARIES=-L${_sinter_prefix}/lib\n"
  "${_sinter_prefix}/bin/nvcc a.o -L${_sinter_prefix}/lib\n")
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()

# CMake refuses compilers that are called hipcc.
set(CMAKE_HIP_COMPILER "${_sinter_prefix}/bin/sinter-cc")
set(CMAKE_HIP_COMPILER_ROCM_ROOT "${CMAKE_CURRENT_LIST_DIR}")
if(NOT DEFINED CMAKE_HIP_ARCHITECTURES)
  set(CMAKE_HIP_ARCHITECTURES gfx90a)
endif()

# Another compiler links programs of C++ with libraries of CUDA.
list(APPEND CMAKE_BUILD_RPATH "${_sinter_prefix}/lib")

# FindCUDAToolkit and the package hip are here.
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}/modules")
list(APPEND CMAKE_PREFIX_PATH "${CMAKE_CURRENT_LIST_DIR}")
unset(_sinter_prefix)
