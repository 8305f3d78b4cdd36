// Integer functions on all values of 8 bits, and on samples of 16, 32 and 64 bits, against plain
// references in 128-bit arithmetic.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "../check.hpp"

namespace {

using wide = __int128;
using std::numeric_limits;

template <class Type> constexpr int width = sizeof(Type) * 8;
template <class Type> using bits_of = std::make_unsigned_t<Type>;

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

namespace reference {

template <class Type> Type saturated(wide x) {
  const wide least = numeric_limits<Type>::min(), greatest = numeric_limits<Type>::max();
  return static_cast<Type>(x < least ? least : x > greatest ? greatest : x);
}
// Rounds down, also below zero.
template <class Type> Type high(wide product) { return static_cast<Type>(product >> width<Type>); }
template <> std::uint64_t high<std::uint64_t>(wide product) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(product) >> 64);
}

template <class Type> int leading(Type x) {
  int count = 0;
  for (int bit = width<Type> - 1; bit >= 0 && !(bits_of<Type>(x) >> bit & 1); --bit)
    ++count;
  return count;
}
template <class Type> int trailing(Type x) {
  int count = 0;
  while (count < width<Type> && !(bits_of<Type>(x) >> count & 1))
    ++count;
  return count;
}
template <class Type> int ones(Type x) {
  int count = 0;
  for (int bit = 0; bit < width<Type>; ++bit)
    count += bits_of<Type>(x) >> bit & 1;
  return count;
}
template <class Type> Type rotated(Type x, Type by) {
  const unsigned left = bits_of<Type>(by) % width<Type>, right = (width<Type> - left) % width<Type>;
  const bits_of<Type> bits = static_cast<bits_of<Type>>(x);
  return static_cast<Type>(left == 0 ? bits : bits_of<Type>(bits << left) | bits_of<Type>(bits >> right));
}
template <class Type> bits_of<Type> difference(Type x, Type y) {
  return static_cast<bits_of<Type>>(x > y ? wide(x) - y : wide(y) - x);
}

template <class Type> Type clamped(Type x, Type least, Type greatest) {
  return x < least ? least : greatest < x ? greatest : x;
}
// Of u64, products and sums have 128 bits without a sign.
template <class Type> Type multiplied(Type x, Type y, Type z) { return saturated<Type>(wide(x) * y + z); }
template <> std::uint64_t multiplied(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  const auto exact = static_cast<unsigned __int128>(x) * y + z;
  return exact >> 64 != 0 ? ~std::uint64_t(0) : static_cast<std::uint64_t>(exact);
}

} // namespace reference

// Numbers of which every pair, or triple, is tried: all of 8 bits, else those at limits and others.
template <class Type> std::vector<Type> numbers(std::size_t others) {
  std::vector<Type> made;
  if (sizeof(Type) == 1) {
    for (int i = 0; i < 256; ++i)
      made.push_back(static_cast<Type>(i));
    return made;
  }
  for (int bit = 0; bit < width<Type>; bit += width<Type> / 8)
    for (int near = -1; near <= 1; ++near)
      made.push_back(static_cast<Type>((bits_of<Type>(1) << bit) + bits_of<Type>(near)));
  for (wide x : {wide(numeric_limits<Type>::min()), wide(numeric_limits<Type>::max()), wide(0)})
    for (int near = -1; near <= 1; ++near)
      made.push_back(static_cast<Type>(x + near));
  for (std::size_t i = 0; i < others; ++i)
    made.push_back(static_cast<Type>(mix(i + 1)));
  return made;
}

template <class Type> class tester {
public:
  tester(sycl::queue &queue, const char *type)
      : queue(queue), type(type), all(numbers<Type>(200)), few(numbers<Type>(8)) {}

  template <class Function, class Reference> void two(const char *name, Function function, Reference reference) {
    three(name, all, std::vector<Type>(1), [=](Type x, Type y, Type) { return function(x, y); },
          [=](Type x, Type y, Type) { return reference(x, y); });
  }
  template <class Function, class Reference> void three(const char *name, Function function, Reference reference) {
    // Of 8 bits: all pairs of factors, with each 15th number.
    std::vector<Type> added;
    for (std::size_t i = 0; i < few.size(); i += sizeof(Type) == 1 ? 15 : 1)
      added.push_back(few[i]);
    three(name, sizeof(Type) == 1 ? all : few, added, function, reference);
  }

private:
  template <class Function, class Reference>
  void three(const char *name, const std::vector<Type> &factors, const std::vector<Type> &added, Function function,
             Reference reference) {
    using result = decltype(function(Type(), Type(), Type()));
    const std::size_t count = factors.size(), pairs = count * count, total = pairs * added.size();
    Type *x = sycl::malloc_shared<Type>(count, queue), *z = sycl::malloc_shared<Type>(added.size(), queue);
    result *found = sycl::malloc_shared<result>(total, queue);
    std::copy(factors.begin(), factors.end(), x);
    std::copy(added.begin(), added.end(), z);
    queue.parallel_for(total, [=](sycl::id<1> i) {
      found[i] = function(x[i % count], x[i / count % count], z[i / pairs]);
    }).wait();
    for (std::size_t i = 0; i < total; ++i) {
      const Type a = x[i % count], b = x[i / count % count], c = z[i / pairs];
      const result wanted = static_cast<result>(reference(a, b, c));
      if (found[i] != wanted) {
        std::printf("%s of %s: %lld, %lld, %lld: %lld, not %lld\n", name, type, (long long)a, (long long)b,
                    (long long)c, (long long)found[i], (long long)wanted);
        std::exit(1);
      }
    }
    for (void *memory : {static_cast<void *>(x), static_cast<void *>(z), static_cast<void *>(found)})
      sycl::free(memory, queue);
  }

  sycl::queue &queue;
  const char *type;
  std::vector<Type> all, few;
};

#define TWO(name, wanted)                                                                                            \
  test.two(#name, [](Type x, Type y) { return sycl::name(x, y); },                                                   \
           []([[maybe_unused]] Type x, [[maybe_unused]] Type y) { return wanted; })
#define ONE(name, wanted)                                                                                            \
  test.two(#name, [](Type x, Type) { return sycl::name(x); }, [](Type x, Type) { return wanted; })
#define THREE(name, wanted)                                                                                          \
  test.three(#name, [](Type x, Type y, Type z) { return sycl::name(x, y, z); },                                      \
             [](Type x, Type y, Type z) { return wanted; })

template <class Type> void integers(sycl::queue &queue, const char *name) {
  tester<Type> test(queue, name);
  using namespace reference;
  ONE(clz, leading(x));
  ONE(ctz, trailing(x));
  ONE(popcount, ones(x));
  ONE(abs, x < 0 ? -bits_of<Type>(x) : bits_of<Type>(x));
  TWO(abs_diff, difference(x, y));
  TWO(add_sat, saturated<Type>(wide(x) + y));
  TWO(sub_sat, saturated<Type>(wide(x) - y));
  TWO(hadd, Type((wide(x) + y) >> 1));
  TWO(rhadd, Type((wide(x) + y + 1) >> 1));
  TWO(mul_hi, high<Type>(wide(x) * y));
  TWO(rotate, rotated(x, y));
  TWO(max, x < y ? y : x);
  TWO(min, y < x ? y : x);
  THREE(mad_hi, Type(bits_of<Type>(high<Type>(wide(x) * y)) + bits_of<Type>(z)));
  test.three("clamp", [](Type x, Type y, Type z) { return sycl::clamp(x, y < z ? y : z, y < z ? z : y); },
             [](Type x, Type y, Type z) { return clamped(x, y < z ? y : z, y < z ? z : y); });
  THREE(mad_sat, multiplied(x, y, z));
  THREE(bitselect, Type((x & ~z) | (y & z)));
}

template <class Type> void of_24_bits(sycl::queue &queue, const char *name) {
  tester<Type> test(queue, name);
  const auto low = [](Type x) { return Type(bits_of<Type>(x) << 8) >> 8; };
  test.two("mul24", [=](Type x, Type y) { return sycl::mul24(low(x), low(y)); },
           [=](Type x, Type y) { return Type(bits_of<Type>(wide(low(x)) * low(y))); });
  test.three("mad24", [=](Type x, Type y, Type z) { return sycl::mad24(low(x), low(y), z); },
             [=](Type x, Type y, Type z) { return Type(bits_of<Type>(wide(low(x)) * low(y) + z)); });
}

template <class Half, class Low, class Whole> void upsampled(sycl::queue &queue) {
  Whole *found = sycl::malloc_shared<Whole>(65536, queue);
  queue.parallel_for(65536, [=](sycl::id<1> i) {
    found[i] = sycl::upsample(static_cast<Half>(i / 256 * 0x01010101u), static_cast<Low>(i % 256 * 0x01010101u));
  }).wait();
  for (unsigned i = 0; i < 65536; ++i) {
    const Half high = static_cast<Half>(i / 256 * 0x01010101u);
    const Low low = static_cast<Low>(i % 256 * 0x01010101u);
    CHECK(found[i] == static_cast<Whole>((bits_of<Whole>(high) << width<Low>) | low));
  }
  sycl::free(found, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  integers<std::int8_t>(queue, "int8_t");
  integers<std::uint16_t>(queue, "uint16_t");
  integers<std::int32_t>(queue, "int32_t");
  integers<std::uint64_t>(queue, "uint64_t");
#ifndef FEWER_INSTANCES
  integers<std::uint8_t>(queue, "uint8_t");
  integers<std::int16_t>(queue, "int16_t");
  integers<std::uint32_t>(queue, "uint32_t");
  integers<std::int64_t>(queue, "int64_t");
#endif
  of_24_bits<std::int32_t>(queue, "int32_t");
  of_24_bits<std::uint32_t>(queue, "uint32_t");
  upsampled<std::int8_t, std::uint8_t, std::int16_t>(queue);
  upsampled<std::uint8_t, std::uint8_t, std::uint16_t>(queue);
  upsampled<std::int16_t, std::uint16_t, std::int32_t>(queue);
  upsampled<std::uint16_t, std::uint16_t, std::uint32_t>(queue);
  upsampled<std::int32_t, std::uint32_t, std::int64_t>(queue);
  upsampled<std::uint32_t, std::uint32_t, std::uint64_t>(queue);
  return pass();
}
