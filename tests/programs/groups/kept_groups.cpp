// Groups in memory: they are compared and queried by the host, and by another kernel.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

#include <array>
#include <utility>

// An array of groups, which have no default constructor.
template <int Dimensions, std::size_t Count> struct kept {
  using type = sycl::group<Dimensions>;
  alignas(type) unsigned char bytes[Count * sizeof(type)];
  type *begin() { return reinterpret_cast<type *>(bytes); }
};

// Bit 0: equal; bit 1: equal the other way; bit 2: different.
template <class Group> static int compared(const Group &a, const Group &b) {
  return (a == b) | (b == a) << 1 | (a != b) << 2;
}

template <class Group> static void check_pair(sycl::queue &queue, const Group *groups) {
  std::array<int, 3> found = {};
  {
    sycl::buffer<Group> from(groups, 2);
    sycl::buffer<int> to(found.data(), 3);
    queue.submit([&](sycl::handler &cgh) {
      const sycl::accessor read(from, cgh, sycl::read_only);
      const sycl::accessor write(to, cgh, sycl::write_only);
      cgh.single_task([=] {
        const Group copy = read[0];
        write[0] = compared(read[0], read[1]);
        write[1] = compared(read[0], copy);
        write[2] = int(read[1].get_group_linear_id());
      });
    });
  }
  CHECK_EQUAL(found[0], 4);
  CHECK_EQUAL(found[1], 3);
  CHECK_EQUAL(found[2], 1);
}

static void hierarchical(sycl::queue &queue) {
  kept<2, 2> groups;
  {
    sycl::buffer<sycl::group<2>> buffer(groups.begin(), 2);
    queue.submit([&](sycl::handler &cgh) {
      const sycl::accessor to(buffer, cgh, sycl::write_only);
      cgh.parallel_for_work_group(sycl::range<2>(1, 2), sycl::range<2>(3, 4), [=](sycl::group<2> group) {
        to[group.get_group_linear_id()] = group;
      });
    });
  }
  check_pair(queue, groups.begin());
  const sycl::group<2> &second = groups.begin()[1];
  const sycl::group<2> copy = second, moved = std::move(groups.begin()[1]);
  for (const sycl::group<2> &group : {copy, moved}) {
    CHECK_EQUAL(compared(group, second), 3);
    CHECK_EQUAL(compared(group, groups.begin()[0]), 4);
    CHECK(group.get_group_id() == sycl::id<2>(0, 1) && group[1] == 1);
    CHECK(group.get_group_range() == sycl::range<2>(1, 2) && group.get_local_range() == sycl::range<2>(3, 4));
    CHECK_EQUAL(group.get_global_range(1), 8);
    CHECK_EQUAL(group.get_group_linear_id(), 1);
    CHECK_EQUAL(group.get_local_linear_range(), 12);
  }
}

// Groups of one kernel differ by their place, and groups of two also by their sizes.
static void over_nd_ranges(sycl::queue &queue) {
  kept<1, 4> groups;
  {
    sycl::buffer<sycl::group<1>> buffer(groups.begin(), 4);
    for (std::size_t launch = 0; launch < 2; ++launch)
      queue.submit([&](sycl::handler &cgh) {
        const sycl::accessor to(buffer, cgh);
        const std::size_t size = 4 << launch;
        cgh.parallel_for(sycl::nd_range<1>(2 * size, size), [=](sycl::nd_item<1> item) {
          const sycl::group<1> group = item.get_group();
          sycl::group_barrier(group);
          if (group.leader())
            to[2 * launch + group[0]] = group;
        });
      });
  }
  check_pair(queue, groups.begin());
  check_pair(queue, groups.begin() + 2);
  for (std::size_t i = 0; i < 4; ++i) {
    const sycl::group<1> &group = groups.begin()[i];
    CHECK_EQUAL(group.get_group_id(0), i % 2);
    CHECK_EQUAL(group.get_local_range(0), i < 2 ? 4 : 8);
    for (std::size_t other = 0; other < 4; ++other)
      CHECK_EQUAL(compared(group, groups.begin()[other]), i == other ? 3 : 4);
  }
}

int main() {
  sycl::queue queue;
  hierarchical(queue);
  over_nd_ranges(queue);
  return pass();
}
