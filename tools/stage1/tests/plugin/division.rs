//! Division of translation units with many kernels into images.

use crate::compile::{Source, section};
use sinter_core::container::{Container, EXPORTS_IMAGE, GLOBAL_IMAGE};
use std::collections::BTreeSet;

/// A unit with this number of kernels, each with its own helper; `body` is part of each, `rest`
/// follows all.
fn unit(kernels: usize, body: &str, rest: &str) -> Source {
    Source::new(&format!(
        "extern \"C\" void __sinter_bind_symbol(const void *, void *);
extern const int declared;
struct id {{ int value; }};
constexpr id named{{3}};
const char *name() {{ const char *text; __sinter_bind_symbol(&named, &text); return text; }}
template <int N> float helper(float x, int n) {{ for (int i = 0; i < n; i++) x = x * N + i; return x; }}
template <int N> const void *kernel(float *p, int n) {{
  return bind([=] {{ {body}; p[item()] = helper<N>(p[0], n); }});
}}
template <int N> struct all {{ static void of(float *p) {{ all<N - 1>::of(p); kernel<N>(p, 2); }} }};
template <> struct all<0> {{ static void of(float *) {{}} }};
void f(float *p) {{ all<{kernels}>::of(p); }}
{rest}"
    ))
}

const FEW: usize = 8;
const MANY: usize = 200;
/// Upper bound for the images of these units, in bytes: smaller images are not divided.
const LARGEST: usize = 64 << 10;

/// Sizes of the largest image and of all images together.
fn sizes(container: &[u8]) -> (usize, usize) {
    let container = Container::parse(container).unwrap();
    container.verify().unwrap();
    let sizes = container.images().iter().map(|image| image.bytes.len());
    (sizes.clone().max().unwrap_or_default(), sizes.sum())
}

#[test]
fn few_kernels_share_one_image() {
    let container = unit(FEW, "", "").container(&["-O1"]);
    let container = Container::parse(&container).unwrap();
    assert_eq!(container.images().len(), 1);
    assert_eq!(container.images()[0].name, GLOBAL_IMAGE);
}

#[test]
fn the_image_of_a_kernel_does_not_grow_with_the_number_of_kernels() {
    for options in [&["-O1"][..], &["-O1", "-g"]] {
        let (many, more) = (unit(MANY, "", "").container(options), unit(4 * MANY, "", "").container(options));
        let ((largest, all), (largest_of_more, all_of_more)) = (sizes(&many), sizes(&more));
        println!("{options:?}: {largest} of {all} bytes, {largest_of_more} of {all_of_more}");
        assert!([largest, largest_of_more].iter().all(|size| *size < LARGEST), "{largest} {largest_of_more}");
        assert!(all_of_more > 10 * LARGEST && all_of_more < 5 * all, "{all} {all_of_more}");
    }
}

#[test]
fn each_image_holds_all_that_its_kernels_reach() {
    let container = unit(MANY, "", "").container(&["-O1"]);
    let container = Container::parse(&container).unwrap();
    assert_eq!(container.kernels().len(), MANY);
    for kernel in container.kernels() {
        let image = container.image_of(kernel).unwrap();
        assert_eq!(kernel.ir_hash, sinter_llvm::kernel_hash::kernel_hash(image.bytes, kernel.symbol).ok());
        assert!(image.imported_symbols.is_empty() && image.exported_symbols.is_empty());
        assert!(image.bytes.windows(9).any(|text| text == b"_ZL5named"), "a launch may set this");
    }
}

#[test]
fn digests_of_kernels_do_not_depend_on_the_division() {
    let hashes = |kernels| {
        let container = unit(kernels, "", "").container(&["-O1"]);
        let container = Container::parse(&container).unwrap();
        container.kernels().iter().filter_map(|kernel| kernel.ir_hash).collect::<BTreeSet<_>>()
    };
    let (few, many) = (hashes(FEW), hashes(MANY));
    assert!(few.len() == FEW && many.is_superset(&few));
}

#[test]
fn exports_have_an_image_of_their_own_and_imports_are_those_of_the_image() {
    let rest = "int far(int);
const void *g(int *p) { return bind([=] { p[0] = far(declared); }); }
[[clang::annotate(\"sinter_export\")]] int twice(int x) { return x * 2 + (int)item(); }";
    let container = unit(MANY, "", rest).container(&["-O1"]);
    let container = Container::parse(&container).unwrap();
    let exporting: Vec<_> = container.images().iter().filter(|image| !image.exported_symbols.is_empty()).collect();
    let [exports] = exporting[..] else { panic!("{} images export", exporting.len()) };
    assert_eq!((exports.name, &exports.exported_symbols[..]), (EXPORTS_IMAGE, &["_Z5twicei"][..]));
    assert!(exports.bytes.len() < 10_000, "{}", exports.bytes.len());
    let importing = container.images().iter().filter(|image| image.imported_symbols.contains(&"_Z3fari"));
    assert_eq!(importing.count(), 1);
}

#[test]
fn code_that_all_kernels_share_is_not_multiplied() {
    let lines: String = (0..400).map(|i| format!("x = x * {i}.5f + n; if (x > {i}) x -= n;\n")).collect();
    let shared = format!("inline float large(float x, int n) {{ {lines} return x; }}\n");
    let unit = unit(MANY, "p[1] = large(p[2], n)", "");
    let text = std::fs::read_to_string(unit.path("a.cpp")).unwrap();
    let compile = |extra: &str, kernels: &str| {
        std::fs::write(unit.path("a.cpp"), text.replace("struct id", &format!("{extra}struct id")) + kernels).unwrap();
        sizes(&unit.container(&["-O1"])).1
    };
    let all = compile(&shared, "");
    let container = std::fs::read(unit.path("a.hcf")).unwrap();
    let copies = container.windows(6).filter(|text| text == b"5large").count();
    println!("{all} bytes, {copies} copies");
    assert!(copies < MANY / 4, "{copies}");
}

#[test]
fn divided_units_are_reproducible() {
    let compile = || {
        let source = unit(MANY, "", "");
        source.compile(&["-O1", "-c", "a.cpp", "-o", "a.o"]);
        section(&source.path("a.o")).unwrap()
    };
    assert!(compile() == compile());
}
