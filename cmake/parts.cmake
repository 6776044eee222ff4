# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Parts of Stretto that need more than a compiler, each a target with headers of its own. One whose needs are not met
# is left out, with a line that says so. Its headers are installed all the same, for machines that meet them.

set(stretto_parts "") # those that are there

# stretto_add_part(cuda HEADERS <regex> LIBRARIES <targets of this project> NEEDS <targets of others>
#                  FOUND <whether NEEDS are there> MISSING <what to say if not> GET <how to get it>)
macro(stretto_add_part name)
  cmake_parse_arguments(part "" "HEADERS;MISSING;GET" "LIBRARIES;NEEDS;FOUND" ${ARGN})
  set(part_headers ${stretto_headers})
  list(FILTER part_headers INCLUDE REGEX "${part_HEADERS}")
  list(FILTER stretto_headers EXCLUDE REGEX "${part_HEADERS}")

  add_library(stretto_${name} INTERFACE)
  set_target_properties(stretto_${name} PROPERTIES EXPORT_NAME ${name})
  target_sources(
    stretto_${name} INTERFACE FILE_SET HEADERS BASE_DIRS include FILES ${part_headers}
  )
  target_link_libraries(stretto_${name} INTERFACE ${part_LIBRARIES})
  foreach(need IN LISTS part_NEEDS)
    target_link_libraries(stretto_${name} INTERFACE $<INSTALL_INTERFACE:${need}>)
    if(${part_FOUND})
      target_link_libraries(stretto_${name} INTERFACE $<BUILD_INTERFACE:${need}>)
    endif()
  endforeach()
  if(${part_FOUND})
    add_library(stretto::${name} ALIAS stretto_${name})
    list(APPEND stretto_parts ${name})
  else()
    message(STATUS "Stretto: ${part_MISSING}: stretto::${name} and its tests are left out")
    string(REGEX REPLACE "^no " "" part_missing "${part_MISSING}")
    stretto_note_missing("${part_missing}" "${part_GET}")
  endif()
endmacro()

list(APPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")
include("${CMAKE_CURRENT_LIST_DIR}/versions.cmake")
find_package(CUDAToolkit ${stretto_version_of_CUDAToolkit} QUIET)
find_package(NVTX3 QUIET)
find_package(NCCL ${stretto_version_of_NCCL} QUIET)
find_package(MPI ${stretto_version_of_MPI} QUIET COMPONENTS CXX)
find_package(stdexec QUIET) # -DSTDEXEC_INCLUDE_DIR=<checkout>/include, or installed
find_package(Torch QUIET) # LibTorch, by CMAKE_PREFIX_PATH
set(stretto_cublas_found ${CUDAToolkit_FOUND})
if(NOT TARGET CUDA::cublas)
  set(stretto_cublas_found FALSE)
endif()
set(stretto_torch_found ${CUDAToolkit_FOUND})
if(NOT TARGET torch)
  set(stretto_torch_found FALSE)
endif()

stretto_add_part(
  nvtx
  HEADERS "/stretto/(observe/)?nvtx\\.hpp$"
  LIBRARIES stretto
  NEEDS NVTX3::nvtx3
  FOUND NVTX3_FOUND
  MISSING "no NVTX 3"
  GET "https://developer.nvidia.com/cuda-downloads"
)
stretto_add_part(
  cublas
  HEADERS "/stretto/cuda/cublas\\.hpp$"
  LIBRARIES stretto_cuda
  NEEDS CUDA::cublas
  FOUND stretto_cublas_found
  MISSING "no cuBLAS"
  GET "https://developer.nvidia.com/cuda-downloads"
)
stretto_add_part(
  torch
  HEADERS "/stretto/cuda/torch\\.hpp$"
  LIBRARIES stretto_cuda
  NEEDS torch
  FOUND stretto_torch_found
  MISSING "no LibTorch"
  GET "https://pytorch.org/get-started/locally"
)
stretto_add_part(
  cuda
  HEADERS "/stretto/cuda[./]"
  LIBRARIES stretto
  NEEDS CUDA::cudart
  FOUND CUDAToolkit_FOUND
  MISSING "no CUDA toolkit ${stretto_version_of_CUDAToolkit}"
  GET "https://developer.nvidia.com/cuda-downloads"
)
stretto_add_part(
  nccl
  HEADERS "/stretto/nccl[./]"
  LIBRARIES stretto_cuda
  NEEDS NCCL::nccl
  FOUND NCCL_FOUND AND CUDAToolkit_FOUND
  MISSING "no NCCL ${stretto_version_of_NCCL}"
  GET "https://developer.nvidia.com/nccl"
)
stretto_add_part(
  mpi
  HEADERS "/stretto/mpi[./]"
  LIBRARIES stretto
  NEEDS MPI::MPI_CXX
  FOUND MPI_FOUND
  MISSING "no MPI"
  GET "sh cmake/setup.sh"
)
stretto_add_part(
  senders
  HEADERS "/stretto/senders[./]"
  LIBRARIES stretto
  NEEDS STDEXEC::stdexec
  FOUND stdexec_FOUND
  MISSING "no stdexec"
  GET "https://github.com/NVIDIA/stdexec"
)
# The C++ bindings of old, which nobody here calls.
target_compile_definitions(stretto_mpi INTERFACE OMPI_SKIP_MPICXX=1 MPICH_SKIP_MPICXX=1)
