// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copying.hpp"

int sum_of_ten_by_nvcc() { return copying::sum_of_ten(); }
