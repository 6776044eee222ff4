# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which versions Stretto's parts ask for, and why: for its own build, and for find_package(stretto COMPONENTS ...).
set(stretto_version_of_CUDAToolkit 13)
set(stretto_reason_of_CUDAToolkit "its nvcc is the oldest that the headers are known to compile with")
set(stretto_version_of_NCCL 2.26)
set(stretto_reason_of_NCCL
    "up to 2.25 devices of one process may read each other's memory where it lies, which that of streams does not allow"
)
set(stretto_version_of_MPI 3.0)
set(stretto_reason_of_MPI "collectives are begun and waited for, which older ones cannot do")
