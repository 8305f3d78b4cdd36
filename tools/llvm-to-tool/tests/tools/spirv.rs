//! Command-line tests of `llvm-to-spirv-tool`.

use crate::folder::{Folder, WITH_LINE, refused};
use sinter_core::{SpirvFeature, Target};
use std::{fs, path::Path, process::Command};

/// The magic number of a module (SPIR-V, 3.1).
const MAGIC: [u8; 4] = 0x0723_0203u32.to_le_bytes();

fn folder() -> Folder {
    Folder::new("llvm-to-spirv-tool")
}

fn device(text: &str) -> Target {
    Target::Spirv(text.parse().expect("a target"))
}

#[test]
fn does_what_all_these_tools_do() {
    crate::alike::lists(&folder());
    crate::alike::refuses(&folder());
    crate::alike::constants_have_readable_names(&folder());
    crate::alike::replays(
        &folder(),
        device("level-zero:1.2:cpu:-fp16"),
        &["--env=level-zero", "--spirv-version=1.2", "--device=cpu", "--features=-fp16"],
    );
    crate::alike::runs_examples(&folder(), device("opencl"), |_| true);
}

#[test]
fn writes_text_for_the_version_and_the_interface() {
    let folder = folder();
    let flags = ["two.ll", "--kernel", "copy", "--emit", "text", "-o", "-"];
    let text = |more: &[&str]| folder.text(&[&flags[..], more].concat());
    let usual = text(&[]);
    assert!(usual.contains("; Version: 1.4") && usual.contains("OpEntryPoint Kernel %1 \"copy\""), "{usual}");
    assert!(text(&["--spirv-version", "1.1"]).contains("; Version: 1.1"));
    for (env, version) in
        [("opencl", "1.4"), ("opencl2.1", "1.0"), ("opencl2.2", "1.2"), ("opencl3.0", "1.4"), ("level-zero", "1.4")]
    {
        assert!(text(&["--env", env]).contains(&format!("; Version: {version}")), "{env}");
    }
    assert_eq!(text(&["--env", "opencl2.1", "--spirv-version", "1.4"]), usual);
    let scale = ["two.ll", "--kernel", "scale(int*", "--arg", "1=f32:2.5", "--emit", "text", "-o", "-"];
    let scale = folder.text(&scale);
    assert_eq!(scale.matches("OpFunctionParameter").count(), 1, "{scale}");
    let ir = folder.text(&["two.ll", "--kernel", "copy", "--emit", "ir", "-o", "-"]);
    assert!(ir.contains("define spir_kernel void @copy(ptr addrspace(1)"), "{ir}");
    assert!(ir.starts_with("; IR of a kernel before SPIR-V is written of it. Triple and data layout"), "{ir}");
    let step = folder.text(&["two.ll", "--kernel", "copy", "--stop-after", "check", "-o", "-"]);
    assert!(step.starts_with("; IR of a kernel before SPIR-V"), "{step}");
}

#[test]
fn writes_words() {
    let folder = folder();
    folder.text(&["two.ll", "--kernel", "copy", "-o", "copy.spv"]);
    let words = folder.read("copy.spv");
    assert!(words.starts_with(&MAGIC) && words.len().is_multiple_of(4));
    assert_eq!(words[4..8], 0x0001_0400u32.to_le_bytes());
}

#[test]
fn leaves_out_what_the_device_lacks() {
    let folder = folder();
    let ir =
        "define void @k(ptr %p) { %v = load double, ptr %p %w = fadd double %v, %v store double %w, ptr %p ret void }";
    folder.write("k.ll", ir);
    let flags = |features| ["k.ll", features, "--emit", "text", "-o", "-"];
    assert!(folder.text(&flags("--features=-all,+fp64")).contains("OpCapability Float64"));
    refused(&folder.run(&["k.ll", "--features", "-fp64,-fp16", "-o", "x"]), 1, "the device lacks `fp64`");
    refused(&folder.run(&flags("--features=-fp64")), 1, "double precision cannot be used on ");
    refused(&folder.run(&flags("--features=-fp63")), 2, "did you mean `fp64`?");
    assert!(!folder.path("x").exists());
}

#[test]
fn says_which_line_code_comes_from() {
    let folder = folder();
    folder.write("k.ll", WITH_LINE);
    let text = |flags: &[&str]| folder.text(&[&["k.ll", "--emit", "text", "-o", "-"][..], flags].concat());
    assert!(!text(&[]).contains("kernel.cpp"));
    let with = text(&["--line-tables"]);
    assert!(with.contains("kernel.cpp") && with.contains("OpLine") && with.contains(" 7 3"), "{with}");
}

#[test]
fn refuses_with_reason_and_leaves_no_file() {
    let folder = folder();
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--env", "vulkan", "-o", "x"]), 2, "opencl2.1");
    for version in ["1.9", "2", "v1.2", "", "cpu", "-fp64"] {
        let output = folder.run(&["two.ll", "--kernel", "copy", &format!("--spirv-version={version}"), "-o", "x"]);
        refused(&output, 2, &format!("`{version}` is not a version of SPIR-V that is written: 1.0 to 1.5"));
    }
    for (features, reason) in [
        ("fp64", "`fp64` has no sign: +fp64 for a device that has it, -fp64 for one that lacks it"),
        ("-fp16,all", "`all` has no sign"),
        ("", "a word is empty"),
        (",,", "a word is empty"),
        ("-fp64,", "a word is empty"),
        ("fp63", "no feature `fp63` is known; did you mean `fp64`?"),
        ("1.2", "no feature `1.2` is known"),
    ] {
        let output = folder.run(&["two.ll", "--kernel", "copy", &format!("--features={features}"), "-o", "x"]);
        refused(&output, 2, reason);
    }
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--emit", "obj", "-o", "x"]), 2, "text");
    assert!(!folder.path("x").exists());
}

#[test]
fn a_required_sub_group_size_needs_its_feature() {
    let folder = folder();
    folder.write("k.ll", "define void @k(ptr %p) { store i32 1, ptr %p ret void }");
    let flags = ["k.ll", "--sub-group-size", "16", "--emit", "text", "-o", "-"];
    let text = folder.text(&flags);
    assert!(text.contains("SubgroupSize 16"), "{text}");
    for lacks in ["--features=-sub-group-size", "--features=-sub-groups", "--env=opencl2.1"] {
        let output = folder.run(&[&flags[..], &[lacks]].concat());
        refused(&output, 1, "k.ll: cannot translate kernel `k` for spirv:opencl:1.");
        refused(&output, 1, "sub-groups of 16 work-items, which the kernel requires");
        refused(&output, 1, "(feature `sub-group-size`)");
    }
}

#[test]
fn what_a_version_of_opencl_requires_is_valid_there() {
    let folder = folder();
    if Command::new("spirv-val").arg("--version").output().is_err() {
        return println!("skipped: PATH names no spirv-val");
    }
    for env in ["opencl2.1", "opencl2.2"] {
        folder.text(&["two.ll", "--kernel", "copy", "--env", env, "-o", "copy.spv"]);
        let module = folder.path("copy.spv");
        let output = Command::new("spirv-val").args(["--target-env", env]).arg(module).output().expect("it runs");
        assert!(output.status.success(), "{env}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn the_page_has_every_feature_and_what_it_needs() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let page = fs::read_to_string(page).expect("the page");
    let (_, table) = page.split_once("| feature | needs |\n").expect("the table");
    let rows: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
    let has = |text: &str, name: &str| text.contains(&format!("`{name}`"));
    for feature in SpirvFeature::all() {
        let (names, needs) = rows
            .iter()
            .filter_map(|row| row.trim_matches('|').split_once('|'))
            .find(|(names, _)| has(names, feature.name()))
            .unwrap_or_else(|| panic!("no row has {names}", names = feature.name()));
        assert_eq!(needs.contains('`'), feature.needs().is_some(), "{names}");
        assert!(feature.needs().is_none_or(|need| has(needs, need.name())), "{names}");
        let version = format!("SPIR-V 1.{}", feature.since() - 10);
        assert_eq!(needs.contains("SPIR-V"), feature.since() > 10, "{names}");
        assert!(feature.since() == 10 || needs.contains(&version), "{names}");
    }
}
