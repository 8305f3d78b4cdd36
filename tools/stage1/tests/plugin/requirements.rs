//! Required sizes and aspects, from C++ to the container and the errors.

use crate::compile::Source;
use sinter_core::container::Container;
use std::collections::BTreeSet;

/// The macros of `sycl/detail/config.hpp`.
const MACROS: &str = "
#if __has_cpp_attribute(sycl::reqd_work_group_size)
#define reqd_work_group_size(...) reqd_work_group_size(\"sinter_required_group_size\", __VA_ARGS__)
#define reqd_sub_group_size(...) reqd_sub_group_size(\"sinter_required_sub_group_size\", __VA_ARGS__)
#define device_has(...) device_has(\"sinter_required_aspects\", bits(__VA_ARGS__))
#endif
template <class... Bits> constexpr unsigned long bits(Bits... all) { return (0ul | ... | (1ul << (int)all)); }
";

/// Options of all kernels, one string for each kernel.
fn options(text: &str) -> BTreeSet<String> {
    let source = Source::new(&format!("{MACROS}{text}"));
    let at = |level| {
        let container = source.container(&[level, "-Wall", "-Wextra", "-std=c++17"]);
        let container = Container::parse(&container).unwrap();
        let print = |options: &[(&str, &str)]| options.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>();
        container.kernels().iter().map(|kernel| print(&kernel.compile_options).join(" ")).collect()
    };
    let options = at("-O2");
    assert_eq!(options, at("-O0"));
    options
}

fn set(options: &[&str]) -> BTreeSet<String> {
    options.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn attributes_behind_the_parameters_of_a_lambda_count() {
    let text = "constexpr int warp = 32;
const void *f(int *p) { return bind([=]() [[sycl::reqd_work_group_size(8, 4)]] { p[0] = 1; }); }
const void *g(int *p) { return bind([=]() noexcept [[sycl::reqd_work_group_size(2, 3, 4)]]
  [[sycl::reqd_sub_group_size(warp)]] -> void { p[0] = 1; }); }
const void *h(int *p) { return bind([=]() [[intel::reqd_sub_group_size(warp / 2)]] { p[0] = 1; }); }";
    let expected =
        ["reqd-work-group-size=4,8,1", "reqd-work-group-size=4,3,2 reqd-sub-group-size=32", "reqd-sub-group-size=16"];
    assert_eq!(options(text), set(&expected));
}

#[test]
fn aspects_are_those_of_the_kernel_and_of_what_it_calls() {
    let text = "enum class aspect { cpu, gpu, fp16 = 6, far = 40 };
[[sycl::device_has(aspect::gpu, aspect::far)]] int called(int x) { return x * x; }
template <aspect A> const void *f(int *p) { return bind([=]() [[sycl::device_has(A)]] { p[0] = called(p[1]); }); }
template const void *f<aspect::fp16>(int *);
const void *g(int *p) { return bind([=]() [[sycl::device_has()]] { p[0] = 2; }); }
const void *h(int *p) { return bind([=]() [[sycl::device_has(aspect::cpu)]] [[sycl::reqd_sub_group_size(8)]] {
  p[0] = 3; }); }";
    let expected = ["required-aspects=0x10000000042", "", "reqd-sub-group-size=8 required-aspects=0x1"];
    assert_eq!(options(text), set(&expected));
}

#[test]
fn template_parameters_may_be_part_of_a_size() {
    let text = "template <int N> const void *f(int *p) {
  constexpr int local = N * 2;
  auto generic = [=](auto x) [[sycl::reqd_sub_group_size(N)]] { p[0] = x; };
  return bind([=]() [[sycl::reqd_work_group_size(local)]] { generic(1); });
}
template const void *f<8>(int *);\ntemplate const void *f<16>(int *);";
    let expected =
        ["reqd-work-group-size=16,1,1 reqd-sub-group-size=8", "reqd-work-group-size=32,1,1 reqd-sub-group-size=16"];
    assert_eq!(options(text), set(&expected));
}

#[test]
fn call_operators_of_classes_count_in_both_positions() {
    let text = "struct F { int *p; [[sycl::reqd_sub_group_size(16)]] void operator()() const { p[0] = 1; } };
template <int N> struct G { int *p; void operator()() const [[sycl::reqd_sub_group_size(N)]] { p[0] = 1; } };
template <int N> struct H { int *p; [[sycl::reqd_sub_group_size(N + 1)]] void operator()() const { p[0] = 1; } };
const void *f(int *p) { return bind(F{p}); }\nconst void *g(int *p) { return bind(G<8>{p}); }
const void *h(int *p) { return bind(H<31>{p}); }";
    assert_eq!(options(text), set(&["reqd-sub-group-size=16", "reqd-sub-group-size=8", "reqd-sub-group-size=32"]));
}

#[test]
fn wrong_sizes_are_errors_with_a_place() {
    let error = |attribute: &str| {
        let text = format!(
            "{MACROS}int n;\nconst void *f(int *p) {{ return bind([=]()\n  [[{attribute}]]\n  {{ p[0] = 1; }}); }}"
        );
        Source::new(&text).errors(&["-gline-tables-only"])
    };
    for attribute in
        ["sycl::reqd_work_group_size(0)", "sycl::reqd_work_group_size(1.5)", "sycl::reqd_work_group_size(1, 2, 3, 4)"]
    {
        let errors = error(attribute);
        assert!(
            errors.contains("error: `sycl::reqd_work_group_size` of `f(int*)::$_0::operator()() const` takes"),
            "{errors}"
        );
        assert!(errors.contains("a.cpp:"), "{errors}");
    }
    assert!(error("sycl::reqd_sub_group_size(n)").contains("error: 'reqd_sub_group_size' attribute requires"));
    let both = error("sycl::reqd_sub_group_size(8), sycl::reqd_sub_group_size(16)");
    assert!(both.contains("a.cpp:") && both.contains("needs two different sizes"), "{both}");
}
