//! The cost of translating a kernel does not depend on the number of other kernels in its image.
//!
//! `cargo test --release -p sinter-translate --test many_kernels -- --ignored --nocapture` prints
//! the times.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use sinter_core::{Image, KernelConfig, Observer, Target, TranslateRequest};
use sinter_llvm::kernel_hash::{divide, kernel_hash, kernel_hashes};
use sinter_translate::{Product, Step, assemble, inspect, native_target};
use std::{
    fmt::Write,
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

const MANY: usize = 10_000;

/// Kernels with a loop, a helper and a table each, and optional debug information.
fn image(kernels: usize, debug: bool) -> Arc<[u8]> {
    let mut text = String::from("declare i64 @__acpp_sscp_get_local_id_x()\n");
    let mut nodes = String::new();
    for i in 0..kernels {
        let (mut function, mut place) = (String::new(), String::new());
        if debug {
            let (scope, at) = (10 + 3 * i, 11 + 3 * i);
            function = format!(" !dbg !{scope}");
            place = format!(", !dbg !{at}");
            write!(nodes, "!{scope} = distinct !DISubprogram(name: \"k{i}\", file: !1, line: {i}, unit: !0, spFlags: DISPFlagDefinition, type: !3, retainedNodes: !4)\n!{at} = !DILocation(line: {i}, column: 3, scope: !{scope})\n").unwrap();
        }
        write!(
            text,
            "@table{i} = internal constant [4 x float] [float {i}.0, float 1.0, float 2.0, float 3.0]
define void @k{i}(ptr %out, ptr %in, i64 %n){function} {{
  %id = call i64 @__acpp_sscp_get_local_id_x(){place}
  %cell = getelementptr float, ptr %in, i64 %id
  br label %loop
loop:
  %j = phi i64 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %value = load float, ptr %cell{place}
  %scaled = call float @help{i}(float %value, i64 %j){place}
  %more = fadd float %sum, %scaled
  %next = add i64 %j, 1
  %done = icmp uge i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %to = getelementptr float, ptr %out, i64 %id
  store float %more, ptr %to{place}
  ret void
}}
define internal float @help{i}(float %x, i64 %j) {{
  %k = and i64 %j, 3
  %p = getelementptr float, ptr @table{i}, i64 %k
  %f = load float, ptr %p
  %y = fmul float %x, %f
  ret float %y
}}
"
        )
        .unwrap();
    }
    if debug {
        text += "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)\n!1 = !DIFile(filename: \"one.cpp\", directory: \"\")\n!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n!3 = !DISubroutineType(types: !4)\n!4 = !{}\n";
    }
    assemble((text + &nodes).as_bytes()).unwrap().into()
}

fn request(bytes: &Arc<[u8]>, name: &str, hashed: bool) -> TranslateRequest {
    let hash = hashed.then(|| kernel_hash(bytes, name).unwrap());
    TranslateRequest {
        image: Image { hash, bytes: bytes.clone() },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(native_target()),
        config: KernelConfig::generic(name),
    }
}

/// The best of five runs.
fn time<T>(work: impl Fn() -> T) -> Duration {
    let once = || {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..5).map(|_| once()).min().unwrap_or_default()
}

fn report(what: &str, bytes: &Arc<[u8]>, name: &str) {
    let plain = request(bytes, name, false);
    let hash = time(|| kernel_hash(bytes, name).unwrap());
    let parse = time(|| inspect(&plain, &Observer::default(), Some(Step::Parse)).unwrap());
    let whole = time(|| inspect(&request(bytes, name, true), &Observer::default(), None).unwrap()) - hash;
    println!("{what}: image {} KiB, hash {hash:?}, parse {parse:?}, whole {whole:?}", bytes.len() / 1024);
}

#[test]
#[ignore = "prints times"]
fn times_of_all_hashes() {
    for kernels in [100, 1000, MANY] {
        let (bytes, names) = (image(kernels, false), names(kernels));
        let start = Instant::now();
        kernel_hashes(&bytes, &names.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
        println!("{kernels} hashes: {:?}", start.elapsed());
    }
}

fn names(kernels: usize) -> Vec<String> {
    (0..kernels).map(|i| format!("k{i}")).collect()
}

#[test]
fn many_hashes_are_those_of_each() {
    for kernels in [0, 1, 9, 70] {
        let (bytes, names) = (image(kernels, true), names(kernels));
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let each: Vec<_> = names.iter().map(|name| kernel_hash(&bytes, name).unwrap()).collect();
        assert_eq!(kernel_hashes(&bytes, &names).unwrap(), each);
    }
    let error = kernel_hashes(&image(1, false), &["k0", "absent"]).unwrap_err().to_string();
    assert!(error.contains("absent"), "{error}");
}

#[test]
fn parts_of_a_divided_image_cover_its_kernels_and_give_the_same_code() {
    let (bytes, names) = (image(1000, false), names(1000));
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let division = divide(&bytes, &names, &["table7"]).unwrap();
    let covered: Vec<_> = division.parts.iter().flat_map(|part| part.kernels.clone()).collect();
    assert!(covered == (0..names.len()).collect::<Vec<_>>() && division.parts.len() > 1);
    let size: usize = division.parts.iter().map(|part| part.bitcode.len()).sum();
    assert!(2 * size <= 3 * bytes.len(), "{size} {}", bytes.len());
    for part in &division.parts {
        assert!(part.bitcode.windows(6).any(|text| text == b"table7"), "it is in every part");
        let name = names[part.kernels.start];
        let code = |bytes| inspect(&request(bytes, name, true), &Observer::default(), None).unwrap();
        assert_eq!(request(&part.bitcode, name, true).image.hash, Some(division.hashes[part.kernels.start]));
        assert!(code(&part.bitcode) == code(&bytes), "{name}");
    }
}

#[test]
fn what_is_no_variable_cannot_be_in_every_part() {
    let names = names(200);
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    assert!(divide(&image(200, false), &names, &["absent"]).is_err());
}

#[test]
#[ignore = "prints times"]
fn times() {
    for debug in [false, true] {
        let what = if debug { "with debug information" } else { "without debug information" };
        report(&format!("1 kernel {what}"), &image(1, debug), "k0");
        report(&format!("{MANY} kernels {what}"), &image(MANY, debug), "k7777");
    }
}

#[test]
fn neighbours_do_not_change_the_code() {
    let (one, many) = (image(1, false), image(100, false));
    let code = |bytes| match inspect(&request(bytes, "k0", true), &Observer::default(), None).unwrap() {
        Product::Code(code) => code.bytes,
        Product::Ir(text) => panic!("{text}"),
    };
    assert_eq!(code(&one), code(&many));
}
