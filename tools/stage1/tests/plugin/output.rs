//! Contents of object files.

use crate::compile::{Source, section, visible_symbols};
use sinter_core::{
    container::{Container, blobs},
    parameter::{Parameter, ParameterKind},
};

const TWO_KERNELS: &str = "
#include <cmath>
float helper(float x) { return std::sin(x) + item(); }
static int only_device(int i) { return i + (int)__acpp_sscp_get_local_id_x(); }
const void *first(float *p, double s) { return bind([=] { p[item()] = helper(p[0]) * s; }); }
const void *second(int *q) { return bind([=] { q[0] = only_device(1); }); }
";

const LEVELS: [&str; 5] = ["-O0", "-O1", "-O2", "-O3", "-Os"];

fn parameter(byte_offset: u32, byte_size: u32, original_index: u32, kind: ParameterKind) -> Parameter {
    Parameter { byte_offset, byte_size, original_index, kind, annotations: Vec::new() }
}

fn parameters(source: &str) -> Vec<Parameter> {
    let container = Source::new(source).container(&["-O1"]);
    let container = Container::parse(&container).unwrap();
    assert_eq!(container.kernels().len(), 1);
    container.kernels()[0].parameters.clone()
}

#[test]
fn no_symbol_of_ours_is_left_at_any_level() {
    let source = Source::new(TWO_KERNELS);
    for level in LEVELS {
        for extra in [&["-g"][..], &["-fPIC"], &[]] {
            source.compile(&[&[level, "-c", "a.cpp", "-o", "a.o"], extra].concat());
            let left = visible_symbols(&source.path("a.o"));
            let left: Vec<_> = left.iter().filter(|s| s.starts_with("__acpp") || s.starts_with("__sinter")).collect();
            assert!(left.is_empty(), "{level} {extra:?}: {left:?}");
        }
    }
}

#[test]
fn user_functions_stay_and_device_functions_go() {
    let source = Source::new(TWO_KERNELS);
    source.compile(&["-O0", "-c", "a.cpp", "-o", "a.o"]);
    let visible = visible_symbols(&source.path("a.o"));
    assert!(visible.iter().any(|symbol| symbol == "_Z6helperf"), "{visible:?}");
    assert!(visible.iter().any(|symbol| symbol == "sinter_register_container"), "{visible:?}");
    assert!(!visible.iter().any(|symbol| symbol.starts_with("_Z5entry")), "{visible:?}");
}

#[test]
fn the_section_holds_one_valid_container() {
    let source = Source::new(TWO_KERNELS);
    for level in LEVELS {
        let emitted = source.container(&[level]);
        let section = section(&source.path("a.o")).unwrap();
        let payloads: Vec<_> = blobs(&section).collect::<Result<_, _>>().unwrap();
        assert_eq!(payloads, [emitted.as_slice()]);
        let container = Container::parse(&emitted).unwrap();
        container.verify().unwrap();
        assert_eq!(container.kernels().len(), 2);
        assert_eq!(container.object_id_bytes().map(|id| id.len()), Some(32));
    }
}

#[test]
fn hashes_are_the_translators() {
    let container = Source::new(TWO_KERNELS).container(&["-O2", "-g"]);
    let container = Container::parse(&container).unwrap();
    for kernel in container.kernels() {
        let image = container.image_of(kernel).unwrap();
        let hash = sinter_llvm::kernel_hash::kernel_hash(image.bytes, kernel.symbol).unwrap();
        assert_eq!(kernel.ir_hash, Some(hash));
    }
}

#[test]
fn leaves_of_nested_closures_are_recorded() {
    use ParameterKind::{FloatingPoint, Integer, OtherByValue, Pointer};
    let source = "
union U { float f; char c[12]; };
struct Inner { bool flag; float v[3]; };
struct Outer { Inner inner; short s; U u; };
const void *f(int *p, Outer o, bool b) { return bind([=] { p[0] = o.inner.v[1] + o.s + b + o.u.c[11]; }); }";
    let expected = [
        parameter(0, 8, 0, Pointer),
        parameter(8, 1, 1, Integer),
        parameter(12, 4, 1, FloatingPoint),
        parameter(16, 4, 1, FloatingPoint),
        parameter(20, 4, 1, FloatingPoint),
        parameter(24, 2, 1, Integer),
        parameter(28, 12, 1, OtherByValue),
        parameter(40, 1, 2, Integer),
        parameter(41, 7, 3, OtherByValue),
    ];
    assert_eq!(parameters(source), expected);
}

#[test]
fn a_lambda_without_captures_has_no_parameters() {
    assert_eq!(parameters("const void *f() { return bind([] { item(); }); }"), []);
    let one = parameters("const void *f(char c) { return bind([=] { (void)(c + item()); }); }");
    assert_eq!(one, [parameter(0, 1, 0, ParameterKind::Integer)]);
}

#[test]
fn a_source_without_kernels_is_left_alone() {
    let source = Source::new("int f() { return 1; }");
    source.compile(&["-O0", "-c", "a.cpp", "-o", "a.o"]);
    assert_eq!(section(&source.path("a.o")), None);
    assert_eq!(visible_symbols(&source.path("a.o")), ["_Z1fv"]);
}

#[test]
fn exported_functions_are_in_the_image() {
    let source = Source::new("[[clang::annotate(\"sinter_export\")]] int twice(int x) { return x * 2 + (int)item(); }");
    let container = source.container(&["-O2"]);
    let container = Container::parse(&container).unwrap();
    assert_eq!(container.images()[0].exported_symbols, ["_Z5twicei"]);
    assert!(visible_symbols(&source.path("a.o")).contains(&"_Z5twicei".to_owned()));
}

#[test]
fn functions_of_other_files_are_imports() {
    let source = Source::new("int far(int);\nconst void *f(int *p) { return bind([=] { p[0] = far(p[0]); }); }");
    let container = source.container(&["-O2"]);
    assert_eq!(Container::parse(&container).unwrap().images()[0].imported_symbols, ["_Z3fari"]);
}

#[test]
fn exported_functions_may_use_what_belongs_to_the_group() {
    let source = Source::new(
        "#define EXPORT __attribute__((annotate(\"sinter_export\")))
extern \"C\" [[clang::convergent]] void __acpp_sscp_work_group_barrier(int, int);
extern \"C\" [[clang::convergent]] __attribute__((address_space(3))) void *__sinter_local_memory(std::size_t, std::size_t);
EXPORT int reduce(int x);
EXPORT int share(int x) {
  auto *tile = (__attribute__((address_space(3))) int *)__sinter_local_memory(256, 4);
  tile[item()] = x;\n  __acpp_sscp_work_group_barrier(2, 3);\n  return reduce(tile[0]);\n}
const void *f(int *p) { return bind([=] { p[item()] = share(1); }); }",
    );
    for level in ["-O0", "-O2"] {
        let container = source.container(&[level]);
        let container = Container::parse(&container).unwrap();
        assert_eq!(container.images()[0].exported_symbols, ["_Z5sharei"]);
        assert_eq!(container.images()[0].imported_symbols, ["_Z6reducei"]);
    }
}

#[test]
fn names_of_variables_are_bound_at_every_level() {
    let source = Source::new(
        "extern \"C\" void __sinter_bind_symbol(const void *, void *);
template <class T> struct constant_id { T value; };
constexpr constant_id<int> tile{8};\nnamespace n { inline constexpr constant_id<float> scale{2}; }
template <const auto &Id> const char *name_of() { const char *name; __sinter_bind_symbol(&Id, &name); return name; }
const void *f(int *p) { return bind([=] { p[0] = tile.value + (int)n::scale.value; }); }
extern \"C\" void sinter_register_container() {}\nextern \"C\" void sinter_unregister_container() {}
int main() { __builtin_printf(\"%s %s\\n\", name_of<tile>(), name_of<n::scale>()); }",
    );
    for level in LEVELS {
        source.compile(&[level, "-std=c++17", "a.cpp", "-o", "a"]);
        let output = std::process::Command::new(source.path("a")).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "_ZL4tile _ZN1n5scaleE\n", "{level}");
    }
}

#[test]
fn specialized_values_are_marked_and_others_are_not() {
    let source = Source::new(
        "namespace sycl::detail { template <class T> struct sinter_specialized { T value; }; }
struct Pair { int a; double b; };\nusing sycl::detail::sinter_specialized;
const void *f(int *p, sinter_specialized<int> n, sinter_specialized<Pair> q, float x) {
  return bind([=] { p[0] = n.value + q.value.a + (int)q.value.b + (int)x; });\n}",
    );
    let container = source.container(&["-std=c++17", "-O1"]);
    let container = Container::parse(&container).unwrap();
    let leaves = container.kernels()[0].parameters.iter().filter(|p| p.kind != ParameterKind::OtherByValue);
    let marked: Vec<_> = leaves.map(|p| (p.byte_size, p.annotations.join(" "))).collect();
    let expected = [(8, ""), (4, "specialized"), (4, "specialized"), (8, "specialized"), (4, "")];
    assert_eq!(marked, expected.map(|(size, text)| (size, text.to_owned())));
}

#[test]
fn sanitizers_and_profiles_leave_nothing_in_the_image() {
    let source = Source::new(
        "struct B { virtual ~B() {} virtual int f(int) const = 0; };
struct D final : B { int f(int x) const override { return x << 1; } };
template <int (*F)(int)> int apply(int i) { return F(i); }\nint twice(int x) { return x * 2; }
const void *f(int *p, int i) { return bind([=] { D d; const B &b = d; p[i] = apply<twice>(b.f(i)); }); }",
    );
    for option in ["-fsanitize=undefined", "-fsanitize=function", "-fsanitize=address", "-fprofile-instr-generate"] {
        for extra in ["-O0", "-O2", "-fno-sanitize-recover=all", "-fsanitize-trap=undefined"] {
            let container = source.container(&["-Wno-unused-command-line-argument", option, extra]);
            let image = Container::parse(&container).unwrap().images()[0].imported_symbols.join(" ");
            assert_eq!(image, "", "{option} {extra}");
        }
    }
}

#[test]
fn link_time_optimisation_keeps_the_container() {
    let source = Source::new(&format!(
        "{TWO_KERNELS}int main() {{}}\nextern \"C\" void sinter_register_container() {{}}
extern \"C\" void sinter_unregister_container() {{}}"
    ));
    for mode in ["-flto", "-flto=thin"] {
        source.compile(&["-O2", mode, "-c", "a.cpp", "-o", "a.o"]);
        source.compile(&[mode, "a.o", "-o", "a"]);
        let section = section(&source.path("a")).unwrap();
        assert_eq!(blobs(&section).count(), 1, "{mode}");
    }
}
