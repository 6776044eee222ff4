// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler.hpp"
#include <nvtx3/nvToolsExt.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <list>
#include <mutex>
#include <utility>

namespace {

using profiler::call;
using profiler::kind;

std::mutex mutex;
std::vector<call> calls;
std::list<std::string> registered;  // a handle is a string's address
std::list<char> domains;

long this_thread() { return ::syscall(SYS_gettid); }

void keep(call c) {
  const std::scoped_lock lock(mutex);
  calls.push_back(std::move(c));
}

nvtxDomainHandle_t create_domain(const char* name) {
  const void* made = nullptr;
  {
    const std::scoped_lock lock(mutex);
    made = &domains.emplace_back();
  }
  keep({kind::create_domain, this_thread(), made, name});
  return static_cast<nvtxDomainHandle_t>(const_cast<void*>(made));
}

void destroy_domain(nvtxDomainHandle_t domain) {
  keep({kind::destroy_domain, this_thread(), domain, {}});
}

nvtxStringHandle_t register_string(nvtxDomainHandle_t, const char* text) {
  const std::scoped_lock lock(mutex);
  return reinterpret_cast<nvtxStringHandle_t>(&registered.emplace_back(text));
}

void name_category(nvtxDomainHandle_t domain, std::uint32_t category, const char* name) {
  keep({kind::name_category, this_thread(), domain, name, category});
}

void name_thread(std::uint32_t thread, const char* name) {
  keep({kind::name_thread, static_cast<long>(thread), nullptr, name});
}

void name_stream(nvtx_cudaStream_t stream, const char* name) {
  keep({kind::name_stream, this_thread(), stream, name});
}

int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  call c{kind::push, this_thread(), domain, "not a registered string"};
  if (event->version == NVTX_VERSION && event->size == sizeof(nvtxEventAttributes_t) &&
      event->messageType == NVTX_MESSAGE_TYPE_REGISTERED)
    c.name = *reinterpret_cast<const std::string*>(event->message.registered);
  c.category = event->category;
  if (event->colorType == NVTX_COLOR_ARGB) c.colour = event->color;
  if (event->payloadType == NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) c.payload = event->payload.ullValue;
  keep(std::move(c));
  return 0;
}

int pop(nvtxDomainHandle_t domain) {
  keep({kind::pop, this_thread(), domain, {}});
  return 0;
}

template <class Function>
void listen(NvtxFunctionTable table, unsigned id, Function* function) {
  *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

std::vector<call> profiler::take_calls() {
  const std::scoped_lock lock(mutex);
  return std::exchange(calls, {});
}

/// What NVTX calls first in a library that it loads. 0: the library cannot listen.
extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get_table) {
  const auto* all = static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable core = nullptr;
  NvtxFunctionTable core2 = nullptr;
  unsigned size = 0;
  if (all == nullptr || all->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &core, &size) == 0 ||
      all->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &core2, &size) == 0)
    return 0;
  NvtxFunctionTable runtime = nullptr;
  if (all->GetModuleFunctionTable(NVTX_CB_MODULE_CUDART, &runtime, &size) != 0)
    listen(runtime, NVTX_CBID_CUDART_NameCudaStreamA, &name_stream);
  listen(core, NVTX_CBID_CORE_NameOsThreadA, &name_thread);
  listen(core2, NVTX_CBID_CORE2_DomainCreateA, &create_domain);
  listen(core2, NVTX_CBID_CORE2_DomainDestroy, &destroy_domain);
  listen(core2, NVTX_CBID_CORE2_DomainRegisterStringA, &register_string);
  listen(core2, NVTX_CBID_CORE2_DomainNameCategoryA, &name_category);
  listen(core2, NVTX_CBID_CORE2_DomainRangePushEx, &push);
  listen(core2, NVTX_CBID_CORE2_DomainRangePop, &pop);
  return 1;
}
