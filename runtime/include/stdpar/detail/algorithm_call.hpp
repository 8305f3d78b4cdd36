// The call of an algorithm with a policy.
//
// In: the policy. Out: what its launches need of a device, and the shape that they should have. The
// device is asked once for each call. A call that has turned to the CPU of the host stays there.
// Calls may be nested: a callable may call an algorithm.
#ifndef SINTER_STDPAR_ALGORITHM_CALL_HPP
#define SINTER_STDPAR_ALGORITHM_CALL_HPP

#include "../../sinter/stdpar.h"

#include <cstdint>
#include <execution>
#include <type_traits>

namespace sinter::stdpar {

// The needs of all launches with a policy. `par` permits callables that take locks.
template <class Policy>
inline constexpr std::uint32_t policy_needs_v =
    std::is_same_v<Policy, std::execution::parallel_policy> ? SINTER_STDPAR_PROGRESS : 0;

class algorithm_call {
public:
  // `policy_needs`: bits of SINTER_STDPAR_*.
  explicit algorithm_call(std::uint32_t policy_needs) noexcept : around(innermost), always(policy_needs) {
    innermost = this;
  }
  algorithm_call(const algorithm_call &) = delete;
  algorithm_call &operator=(const algorithm_call &) = delete;
  ~algorithm_call() { innermost = around; }

  // Work-items that share a part of a range: 1 on a CPU.
  static std::uint32_t group_size() noexcept {
    algorithm_call *const call = innermost;
    if (call == nullptr)
      return sinter_stdpar_group_size();
    if (call->size == 0)
      call->size = sinter_stdpar_group_size();
    return call->size;
  }

  static bool is_on_cpu() noexcept {
    const algorithm_call *const call = innermost;
    return (call != nullptr && call->is_turned) || sinter_stdpar_is_cpu() != 0;
  }

  // The needs of a launch on its device.
  static std::uint32_t needs(bool is_for_gpu) noexcept {
    const algorithm_call *const call = innermost;
    if (call == nullptr)
      return is_for_gpu ? SINTER_STDPAR_SHAPED : 0;
    if (call->is_turned)
      return call->always | SINTER_STDPAR_ON_CPU;
    const bool is_shaped = is_for_gpu || (call->size > 1 && !call->has_begun);
    return is_shaped ? call->always | SINTER_STDPAR_SHAPED : call->always;
  }

  // Notes what became of a launch; true if it has started.
  static bool note_launch(bool has_started, bool is_preparation) noexcept {
    if (algorithm_call *const call = innermost) {
      call->is_refused = !has_started;
      call->has_begun |= has_started && !is_preparation;
    }
    return has_started;
  }

  // True if the last launch was refused. The next ones are for the CPU of the host.
  static bool turn_to_cpu() noexcept {
    algorithm_call *const call = innermost;
    if (call == nullptr || !call->is_refused)
      return false;
    call->is_refused = false, call->is_turned = true, call->size = 1;
    return true;
  }

private:
  static inline thread_local algorithm_call *innermost = nullptr;
  algorithm_call *around;
  std::uint32_t always;
  // 0 while nobody has asked.
  std::uint32_t size = 0;
  // True once a kernel has started that may call functions of the program: it must not run twice.
  bool has_begun = false;
  bool is_refused = false;
  bool is_turned = false;
};

// Work-items that share a part of a range on the device of this call.
inline std::uint32_t group_size() noexcept { return algorithm_call::group_size(); }

} // namespace sinter::stdpar

#endif
