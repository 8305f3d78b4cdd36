// Text that kernels write to a sycl::stream.
// levels: 0 2
#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <sycl/sycl.hpp>
#include <unistd.h>

#include "../check.hpp"

template <class Submit> static std::string printed(sycl::queue &queue, const Submit &submit) {
  std::FILE *file = std::tmpfile();
  CHECK(file != nullptr);
  std::fflush(stdout);
  const int kept = dup(1);
  dup2(fileno(file), 1);
  queue.submit(submit).wait();
  std::fflush(stdout);
  dup2(kept, 1);
  close(kept);
  std::string text;
  std::rewind(file);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
    text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

static void expect(const std::string &text, const std::string &expected) {
  if (text != expected)
    std::fprintf(stderr, "[%s]\n[%s]\n", text.c_str(), expected.c_str());
  CHECK(text == expected);
}

static void values(sycl::queue &queue) {
  const std::string text = printed(queue, [](sycl::handler &cgh) {
    const sycl::stream out(1024, 256, cgh);
    CHECK(out.size() == 1024 && out.get_work_item_buffer_size() == 256 && out.get_max_statement_size() == 256);
    cgh.single_task([=] {
      out << "text " << 'c' << ' ' << true << ' ' << -5 << ' ' << 7u << ' ' << 1ull << 40 << ' ' << short(-3) << sycl::endl;
      out << 1.5f << ' ' << -0.25f << ' ' << 1e20f << sycl::endl;
      out << sycl::hex << 255 << ' ' << sycl::showbase << 255u << ' ' << sycl::oct << 8 << sycl::noshowbase << ' ' << 8
          << sycl::dec << ' ' << sycl::showpos << 3 << sycl::noshowpos << sycl::endl;
      out << sycl::setprecision(2) << sycl::fixed << 3.14159f << ' ' << sycl::scientific << 12345.f << ' '
          << sycl::defaultfloat << 3.14159f << sycl::endl;
      out << '[' << sycl::setw(6) << 42 << "][" << sycl::setw(3) << "ab" << ']' << sycl::endl;
      out << sycl::id<2>(1, 2) << sycl::range<3>(1, 2, 3) << sycl::int4(1, 2, 3, 4) << sycl::flush;
      out << sycl::nd_range<1>(8, 4) << "\n";
      const int *nothing = nullptr;
      out << nothing << ' ' << reinterpret_cast<int *>(0xab0) << sycl::endl;
    });
  });
  expect(text, "text c true -5 7 140 -3\n1.5 -0.25 1e+20\nff 0xff 010 10 +3\n3.14 1.23e+04 3.1\n[    42][ ab]\n"
               "{1, 2}{1, 2, 3}1, 2, 3, 4nd_range(global_range: {8}, local_range: {4})\n0 0xab0\n");
}

// Statements of different work-items do not mix, and none is lost.
template <class Size, class Index> static void statements(sycl::queue &queue, Size size, Index index, int count) {
  const std::string text = printed(queue, [&](sycl::handler &cgh) {
    sycl::stream out(64 * count, 64, cgh);
    cgh.parallel_for(size, [=](auto item) {
      out << "item " << index(item);
      out << " of " << sycl::setw(4) << count << sycl::endl << sycl::hex;
      out << index(item) << " again";
      out << '\n';
    });
  });
  std::vector<std::string> lines, expected;
  std::istringstream input(text);
  for (std::string line; std::getline(input, line);)
    lines.push_back(line);
  for (int i = 0; i < count; ++i) {
    char line[64];
    std::snprintf(line, sizeof(line), "item %d of %4d", i, count);
    expected.push_back(line);
    std::snprintf(line, sizeof(line), "%x again", i);
    expected.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  CHECK(lines == expected);
}

static void sizes(sycl::queue &queue) {
  const auto fill = [](std::size_t size) {
    return [=](sycl::handler &cgh) {
      sycl::stream out(size, 80, cgh);
      cgh.single_task([=] {
        for (int i = 0; i < 1000; ++i)
          out << i % 10;
      });
    };
  };
  expect(printed(queue, fill(0)), "");
  expect(printed(queue, fill(13)), "0123456789012");
  CHECK(printed(queue, fill(1000)).size() == 1000);
}

// A refused kernel prints nothing and leaves the queue usable.
static void refused(sycl::queue &queue) {
  bool thrown = false;
  const std::string text = printed(queue, [&](sycl::handler &) {
    try {
      queue.submit([&](sycl::handler &cgh) {
        sycl::stream out(100, 10, cgh);
        cgh.parallel_for(sycl::nd_range<1>(8, 3), [=](sycl::nd_item<1>) { out << "never"; });
      });
    } catch (const sycl::exception &error) {
      thrown = error.code() == sycl::errc::nd_range;
    }
  });
  CHECK(thrown && text.empty());
}

static void several(sycl::queue &queue) {
  const std::string text = printed(queue, [](sycl::handler &cgh) {
    sycl::stream first(100, 10, cgh), second(100, 10, cgh);
    CHECK(first != second && first == sycl::stream(first));
    CHECK(std::hash<sycl::stream>()(first) == std::hash<sycl::stream>()(sycl::stream(first)));
    cgh.single_task([=] {
      second << "two";
      first << "one ";
    });
  });
  expect(text, "one two");
}

int main() {
  sycl::queue queue, in_order{sycl::property::queue::in_order()};
  values(queue);
  if (queue.get_device().has(sycl::aspect::fp64))
    expect(printed(in_order,
                   [](sycl::handler &cgh) {
                     sycl::stream out(100, 100, cgh);
                     cgh.single_task([=] { out << sycl::setprecision(12) << 0.1 + 0.2 << sycl::endl; });
                   }),
           "0.3\n");
  statements(queue, sycl::range<1>(257), [](sycl::item<1> item) { return int(item.get_linear_id()); }, 257);
  statements(queue, sycl::nd_range<2>({8, 6}, {4, 3}),
             [](sycl::nd_item<2> item) { return int(item.get_global_linear_id()); }, 48);
  sizes(queue);
  several(queue);
  refused(queue);
  return pass();
}
