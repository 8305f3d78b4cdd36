//! The same source gives the same container, independent of folder and repetition.

use crate::compile::{Source, section, visible_symbols};

const SOURCE: &str = "
#include <vector>
struct V { float x, y; };
inline V add(V a, V b) { return {a.x + b.x, a.y + b.y}; }
const void *f(V *p, int n) { return bind([=] { for (int i = 0; i < n; i++) p[i] = add(p[i], p[item()]); }); }
const void *g(std::vector<int> *v) { return bind([=] { v->at(item()) = 1; }); }
";

#[test]
fn two_folders_give_one_container() {
    let (one, two) = (Source::new(SOURCE), Source::new(SOURCE));
    for level in ["-O0", "-O2"] {
        assert!(one.container(&[level]) == two.container(&[level]), "{level}");
        assert!(one.container(&[level, "-Rpass=none"]) == two.container(&[level, "-fPIC"]), "{level}");
    }
}

#[test]
fn absolute_paths_leave_no_trace() {
    let (one, two) = (Source::new(SOURCE), Source::new(SOURCE));
    let container = |source: &Source| {
        let path = source.path("a.cpp").display().to_string();
        source.compile(&["-O1", "-c", &path, "-o", "a.o"]);
        section(&source.path("a.o")).unwrap()
    };
    assert!(container(&one) == container(&two));
}

#[test]
fn mapped_debug_information_gives_one_container() {
    let (one, two) = (Source::new(SOURCE), Source::new(SOURCE));
    let container = |source: &Source| {
        let map = format!("-ffile-prefix-map={}=/src", source.folder.path().canonicalize().unwrap().display());
        source.container(&["-O1", "-g", &map])
    };
    assert!(container(&one) == container(&two));
}

#[test]
fn processed_bitcode_is_not_processed_again() {
    let source = Source::new(SOURCE);
    source.compile(&["-O0", "-c", "-emit-llvm", "a.cpp", "-o", "a.bc"]);
    source.compile(&["-O0", "-c", "a.bc", "-o", "from_bc.o"]);
    source.compile(&["-O0", "-c", "a.cpp", "-o", "direct.o"]);
    let (bitcode, direct) = (source.path("from_bc.o"), source.path("direct.o"));
    assert!(section(&bitcode).unwrap() == section(&direct).unwrap());
    assert_eq!(visible_symbols(&bitcode), visible_symbols(&direct));
}

#[test]
fn debug_information_does_not_change_the_kernel_hash() {
    use sinter_core::container::Container;
    let source = Source::new(SOURCE);
    let hashes = |arguments: &[&str]| {
        let container = source.container(arguments);
        let container = Container::parse(&container).unwrap();
        container.kernels().iter().map(|kernel| kernel.ir_hash).collect::<Vec<_>>()
    };
    assert_eq!(hashes(&["-O2"]), hashes(&["-O2", "-gline-tables-only"]));
}
