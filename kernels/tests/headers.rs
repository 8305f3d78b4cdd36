//! The public headers declare builtins as in the table.

#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

mod support;

use sinter_kernels::table::{Builtin, Provider, find};
use std::{collections::BTreeSet, fmt::Write, fs};
use support::{file, folder, for_each_at_once, run, source, tool};

const HEADERS: [&str; 3] = ["builtins.hpp", "group_builtins.hpp", "atomics.hpp"];

/// Types count as equal if they have the same calling convention: integers by size and signedness,
/// enumerations as i32, pointers by address space.
const SAME: &str = "#include <type_traits>
template <class T, class = void> struct plain { using type = T; };
template <int Size, bool Signed> struct integer {};
template <class T> struct plain<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  using type = integer<sizeof(T), std::is_signed_v<T>>;
};
template <class T> struct plain<T, std::enable_if_t<std::is_enum_v<T>>> : plain<std::underlying_type_t<T>> {};
template <class T> struct plain<T *> { using type = void *; };
template <class T> struct plain<__attribute__((address_space(3))) T *> { using type = integer<3, true>; };
template <class... T> struct list {};
template <class R, class... P> list<typename plain<R>::type, typename plain<P>::type...> shape(R (*)(P...));
";

fn preprocessed() -> String {
    let includes: String = HEADERS.iter().map(|header| format!("#include <sycl/detail/{header}>\n")).collect();
    let input = file(&folder("headers"), "all.cpp", includes.as_bytes());
    run(tool("clang++")
        .args(["-std=c++17", "-D__SINTER__", "-E", "-P", "-I"])
        .arg(source("../runtime/include"))
        .arg(input))
}

/// Names of the builtins that a header declares.
fn declared(text: &str) -> BTreeSet<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(|c: char| !is_word(c)).filter(|word| word.starts_with("__acpp_sscp_"));
    words.collect()
}

/// True if a function is a constant that a compilation stage provides.
fn is_constant(name: &str) -> bool {
    ["__acpp_sscp_is_host", "__acpp_sscp_is_device"].contains(&name) || name.starts_with("__acpp_sscp_jit_reflect_")
}

#[test]
fn the_headers_declare_what_the_table_has() {
    let text = preprocessed();
    let mut code =
        HEADERS.iter().fold(String::new(), |code, header| code + &format!("#include <sycl/detail/{header}>\n"));
    code += "using namespace sycl::detail;\n";
    let mut table = format!("{SAME}namespace table {{\n#include \"types.hpp\"\n");
    let names = declared(&text);
    assert!(names.len() > 150, "{} names: the headers were not read", names.len());
    for name in names.iter().filter(|name| !is_constant(name)) {
        let builtin = find(name).unwrap_or_else(|| panic!("{name} is declared in a header, but not in the table"));
        let parameters: Vec<String> = builtin.parameters.iter().map(|word| cpp(word)).collect();
        writeln!(table, "using type_of{name} = {} (*)({});", cpp(builtin.result), parameters.join(", ")).unwrap();
        writeln!(
            code,
            "static_assert(std::is_same_v<decltype(shape(&{name})), decltype(shape(table::type_of{name}()))>, \"{name}\");"
        )
        .unwrap();
    }
    let input = file(&folder("headers"), "same.cpp", format!("{table}}}\n{code}").as_bytes());
    let mut compile = tool("clang++");
    compile.args(["-std=c++17", "-D__SINTER__", "-fsyntax-only", "-I"]).arg(source("../runtime/include"));
    run(compile.arg("-I").arg(source("builtins/generic")).arg(input));
}

fn cpp(word: &str) -> String {
    match word {
        "char*" => "const char *".to_owned(),
        "local*" => "__attribute__((address_space(3))) void *".to_owned(),
        word => word.to_owned(),
    }
}

#[test]
fn a_function_is_found_by_its_name() {
    let sine = find("__acpp_sscp_sin_f64").unwrap();
    assert_eq!((sine.result, sine.parameters, sine.provider("ptx")), ("f64", &["f64"][..], Some(Provider::Library)));
    assert_eq!(sine.provider("abacus"), None);
    assert!(find("__acpp_sscp_sin_f16").is_none() && find("__sinter_ragged_groups").is_some());
    let barrier: &Builtin = find("__acpp_sscp_work_group_barrier").unwrap();
    assert!(barrier.family.is_convergent && !barrier.family.is_pure);
    assert_eq!(barrier.provider("host"), Some(Provider::Backend));
}

/// The headers beside `sycl.hpp` forward, so this covers those in folders too.
#[test]
fn each_public_header_can_be_included_alone() {
    let include = source("../runtime/include");
    let headers = fs::read_dir(include.join("sycl")).unwrap().map(|entry| entry.unwrap().file_name());
    let headers: Vec<_> =
        headers.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".hpp")).collect();
    assert!(headers.len() > 40, "{headers:?}");
    let folder = folder("alone");
    for_each_at_once(&headers, |header| {
        let input = file(&folder, header, format!("#include <sycl/{header}>\n").as_bytes());
        let mut compile = tool("clang++");
        compile.args(["-std=c++17", "-D__SINTER__", "-fsyntax-only", "-Wall", "-Wextra", "-Werror"]);
        run(compile.args(["-Wno-unknown-attributes", "-I"]).arg(&include).arg(input));
    });
}

#[test]
fn each_part_has_a_header_that_forwards_to_it() {
    let folder = source("../runtime/include/sycl");
    for part in ["groups", "index", "math", "memory", "runtime", "types"] {
        for header in fs::read_dir(folder.join(part)).unwrap() {
            let name = header.unwrap().file_name().into_string().unwrap();
            let forward = fs::read_to_string(folder.join(&name)).unwrap_or_default();
            assert!(forward.contains(&format!("#include \"{part}/{name}\"")), "sycl/{name} does not forward to {part}");
        }
    }
}
