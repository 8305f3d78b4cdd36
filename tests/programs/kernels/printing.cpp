// `printf` and `puts` in kernels have the same output as those of the C library.
// levels: 0 2
#include <cstdio>
#include <string>
#include <sycl/sycl.hpp>
#include <unistd.h>

#include "../check.hpp"

static std::string printed(sycl::queue &queue, int *results) {
  std::FILE *file = std::tmpfile();
  CHECK(file != nullptr);
  std::fflush(stdout);
  const int kept = dup(1);
  dup2(fileno(file), 1);
  queue
      .single_task([=] {
        float x = static_cast<float>(results[3]) / 2;
        results[0] = printf("%s: %5d|%-6lu|%lld|%hu\n", "numbers", results[1], 7ul, -5ll, 65580);
        results[2] = printf("%.3f %g %e 100%%\n", x, 0.5, 12345.678);
        puts("a line of 100%d");
        printf("x");
        printf("\n");
        printf("%c%s%x\n", 'c', "", 255);
        sycl::ext::oneapi::experimental::printf("%d %.1f|", results[1], x);
        sycl::ext::oneapi::experimental::printf("%g %g|", sycl::half(x), sycl::ext::oneapi::bfloat16(x));
        sycl::ext::oneapi::experimental::printf("bare\n");
      })
      .wait();
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

int main() {
  sycl::queue queue;
  int *results = sycl::malloc_shared<int>(4, queue);
  results[1] = 42;
  results[3] = 5;
  const std::string text = printed(queue, results);
  const std::string expected = "numbers:    42|7     |-5|44\n2.500 0.5 1.234568e+04 100%\na line of 100%d\nx\nc" "ff\n42 2.5|2.5 2.5|bare\n";
  if (text != expected)
    std::fprintf(stderr, "%s", text.c_str());
  CHECK(text == expected);
  CHECK(results[0] >= 0 && results[2] >= 0);
  sycl::free(results, queue);
  return pass();
}
