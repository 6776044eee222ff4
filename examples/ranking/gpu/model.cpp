// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.hpp"
#include <stdexcept>
#include <string>
#include <vector>

namespace ranking::gpu {
namespace {

static_assert(inputs == input_size && hidden1 == hidden1_size && hidden2 == hidden2_size);
static_assert(sizeof(embedding_row) == row_size * sizeof(float));

// What the newest devices ask for; without it cuBLAS would take memory as it sees fit.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20U;

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(what) + ": " + cublasGetStatusName(status) + " (" +
                           cublasGetStatusString(status) + ")");
}

int as_int(std::size_t size) { return static_cast<int>(size); }

device_floats upload(const embedding_table& table) {
  std::vector<embedding_row> rows(table.rows());
  for (std::uint32_t key = 0; key < table.rows(); ++key) rows[key] = table[key];
  return {rows.front().weight.data(), rows.size() * row_size};
}

}  // namespace

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  throw std::runtime_error(std::string(what) + ": " + cudaGetErrorName(status) + " (" +
                           cudaGetErrorString(status) + ")");
}

device_floats::device_floats(std::size_t count) : size_(count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(float)), "cudaMalloc");
  memory_.reset(static_cast<float*>(memory));
  check(cudaMemset(memory, 0, count * sizeof(float)), "cudaMemset");
}

device_floats::device_floats(const float* from, std::size_t count) : device_floats(count) {
  check(cudaMemcpy(get(), from, count * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
}

device_network::device_network(const network& from)
    : memory_(from.values.data(), static_cast<std::size_t>(from.values.size())) {
  if (memory_.size() != size) throw std::logic_error("the networks are not laid out alike");
}

products::products(cudaStream_t s) : workspace_(workspace_bytes / sizeof(float)) {
  check(cublasCreate(&handle_), "cublasCreate");
  check(cublasSetStream(handle_, s), "cublasSetStream");  // first: it takes workspaces away
  check(cublasSetWorkspace(handle_, workspace_.get(), workspace_bytes), "cublasSetWorkspace");
  check(cublasSetAtomicsMode(handle_, CUBLAS_ATOMICS_NOT_ALLOWED), "cublasSetAtomicsMode");
  check(cublasSetMathMode(handle_, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
}

products::~products() {
  if (handle_ != nullptr) cublasDestroy(handle_);
}

void products::multiply(bool a_transposed, bool b_transposed, std::size_t m, std::size_t n,
                        std::size_t k, const float* a, const float* b, float* c) const {
  const float one = 1.0F;
  const float zero = 0.0F;
  check(cublasSgemm(handle_, a_transposed ? CUBLAS_OP_T : CUBLAS_OP_N,
                    b_transposed ? CUBLAS_OP_T : CUBLAS_OP_N, as_int(m), as_int(n), as_int(k), &one,
                    a, as_int(a_transposed ? k : m), b, as_int(b_transposed ? n : k), &zero, c,
                    as_int(m)),
        "cublasSgemm");
}

void products::multiply(std::size_t m, std::size_t n, const float* a, const float* x,
                        float* y) const {
  multiply(false, false, m, 1, n, a, x, y);
}

model::model(const embedding_table& from, const network& first_weights)
    : table(upload(from)),
      weights(first_weights),
      gradients(network()),
      squares(network()),
      ones(std::vector<float>(batch_samples, 1.0F).data(), batch_samples) {}

void forward(const model& m, const products& by, const std::uint32_t* batch, activations_view out,
             cudaStream_t s) {
  constexpr std::size_t n = batch_samples;
  gather(batch_layout, batch, m.table.get(), out.input, s);
  by.multiply(false, false, hidden1, n, inputs, m.weights.weight1(), out.input, out.hidden1);
  add_bias(hidden1, n, m.weights.bias1(), out.hidden1, s);
  by.multiply(false, false, hidden2, n, hidden1, m.weights.weight2(), out.hidden1, out.hidden2);
  add_bias(hidden2, n, m.weights.bias2(), out.hidden2, s);
  measure(batch_layout, batch, out.hidden2, m.weights.weight3(), m.weights.bias3(), out.loss,
          out.slope, s);
}

void backward(const model& m, const products& by, const const_activations_view& in,
              gradients_view out, cudaStream_t s) {
  constexpr std::size_t n = batch_samples;
  output_backward(n, in.hidden2, m.weights.weight3(), in.slope, out.by_hidden2, m.gradients.bias3(),
                  s);
  by.multiply(hidden2, n, in.hidden2, in.slope, m.gradients.weight3());
  by.multiply(false, true, hidden2, hidden1, n, out.by_hidden2, in.hidden1, m.gradients.weight2());
  by.multiply(hidden2, n, out.by_hidden2, m.ones.get(), m.gradients.bias2());
  by.multiply(true, false, hidden1, n, hidden2, m.weights.weight2(), out.by_hidden2,
              out.by_hidden1);
  mask(n * hidden1, in.hidden1, out.by_hidden1, s);
  by.multiply(false, true, hidden1, inputs, n, out.by_hidden1, in.input, m.gradients.weight1());
  by.multiply(hidden1, n, out.by_hidden1, m.ones.get(), m.gradients.bias1());
  // By columns the first `embedded` columns of the weights come first: the numbers are left out.
  by.multiply(true, false, embedded, n, hidden1, m.weights.weight1(), out.by_hidden1, out.by_input);
}

void finalize(const model& m, const std::uint32_t* batch, const float* loss, const float* by_input,
              float longest, float* by_row, outcome* out, cudaStream_t s) {
  add_up_rows(batch_layout, batch, by_input, by_row, s);
  conclude(batch_layout, batch, device_network::size, m.gradients.values(), by_row, loss, longest,
           out, s);
}

void optimize(const model& m, const std::uint32_t* batch, const float* by_row, float decay,
              const outcome* how, cudaStream_t s) {
  step_network(batch, device_network::size, m.gradients.values(), how, m.squares.values(),
               m.weights.values(), s);
  step_rows(batch_layout, batch, by_row, decay, how, m.table.get(), s);
}

}  // namespace ranking::gpu
