// Distributes the checks of a function over kernels. Drivers of Vulkan (Mesa's lavapipe, NVIDIA's)
// compile a kernel with hundreds of them for minutes.
#ifndef PROGRAMS_TYPES_PARTS_HPP
#define PROGRAMS_TYPES_PARTS_HPP

#include <utility>

constexpr int parts = 40;
// Has the checks of all parts.
constexpr int whole = -1;

// Before a statement of a function template with a parameter `Part`, which is left out unless it is
// of that part. Statements take turns.
#define IN_TURN if constexpr (Part == whole || __COUNTER__ % parts == Part)

// Calls a function object with the number of each part, as a constant.
template <class Function, int... Part> void each_part(Function call, std::integer_sequence<int, Part...>) {
  (call(std::integral_constant<int, Part>()), ...);
}
template <class Function> void each_part(Function call) { each_part(call, std::make_integer_sequence<int, parts>()); }

#endif
