//! Command-line tests of llvm-to-amdgpu-tool: output, messages, exit status.

use crate::folder::{Folder, TWO_KERNELS, WITH_LINE, refused, request};
use sinter_core::{
    Target,
    container::{ContainerBuilder, GLOBAL_IMAGE, ImageRecord, KernelRecord},
};
use sinter_llvm::kernel_hash::known_closure;
use sinter_translate::assemble;
use std::fs;

fn folder() -> Folder {
    Folder::new("llvm-to-amdgpu-tool")
}

fn gpu(id: &str) -> Target {
    Target::Amdgcn(id.parse().expect("a target ID"))
}

#[test]
fn does_what_all_these_tools_do() {
    crate::alike::lists(&folder());
    crate::alike::refuses(&folder());
    crate::alike::constants_have_readable_names(&folder());
    crate::alike::replays(&folder(), gpu("gfx90a:xnack-"), &["--target", "gfx90a:xnack-"]);
    crate::alike::runs_examples(&folder(), gpu("gfx90a"), |_| true);
}

#[test]
fn writes_code_for_the_target() {
    let folder = folder();
    let usual = folder.text(&["two.ll", "--kernel", "copy", "--emit", "asm", "-o", "-"]);
    assert!(usual.contains("amdgcn-amd-amdhsa--gfx90a\"") && usual.contains(".amdhsa_kernel copy"), "{usual}");
    let flags = ["two.ll", "--kernel", "copy", "--emit", "asm", "-o", "-", "--target"];
    let off = folder.text(&[&flags[..], &["gfx90a:xnack-"]].concat());
    assert!(off.contains("amdgcn-amd-amdhsa--gfx90a:xnack-\""), "{off}");
    let wide = folder.text(&[&flags[..], &["gfx1100:wavefrontsize64+"]].concat());
    assert!(wide.contains(".wavefront_size: 64"), "{wide}");
    let scale = ["two.ll", "--kernel", "scale(int*", "--arg", "1=f32:2.5", "--emit", "asm", "-o", "-"];
    let scale = folder.text(&scale);
    assert!(scale.contains(".amdhsa_kernarg_size 8") && !scale.contains("copy"), "{scale}");
    let ir = folder.text(&["two.ll", "--kernel", "copy", "--emit", "ir", "-o", "-"]);
    assert!(ir.contains("amdgcn-amd-amdhsa"), "{ir}");
}

#[test]
fn writes_objects_and_code_objects() {
    let folder = folder();
    // ELF types: relocatable and shared object.
    for (emit, kind) in [("obj", 1), ("co", 3)] {
        folder.text(&["two.ll", "--kernel", "copy", "--emit", emit, "-o", "copy.out"]);
        let bytes = folder.read("copy.out");
        assert!(bytes.starts_with(b"\x7fELF") && bytes[16] == kind, "{emit}");
    }
}

#[test]
fn says_which_line_code_comes_from() {
    let folder = folder();
    folder.write("k.ll", WITH_LINE);
    let code = |flags: &[&str]| {
        folder.text(&[&["k.ll", "-o", "k.co"][..], flags].concat());
        folder.read("k.co")
    };
    let names_file = |code: &[u8]| code.windows(10).any(|window| window == b"kernel.cpp");
    assert!(!names_file(&code(&[])) && names_file(&code(&["--line-tables"])));
}

#[test]
fn refuses_with_reason_and_leaves_no_file() {
    let folder = folder();
    let targets = [
        ("mi300", "no AMD processor `mi300` is known"),
        ("gfx91a", "there are gfx900, gfx902"),
        ("GFX90A", "did you mean `gfx90a`?"),
        ("gfx90a:xnack-:xnack+", "`xnack` is given twice"),
        ("gfx1100:xnack+", "gfx1100 has no feature `xnack`"),
        ("gfx90a:xnack", "is not a setting"),
    ];
    for (target, text) in targets {
        refused(&folder.run(&["two.ll", "--kernel", "copy", "--target", target, "-o", "x"]), 2, text);
    }
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--library", "missing", "-o", "x"]), 1, "cannot read missing");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--emit", "so", "-o", "x"]), 2, "asm");
    assert!(!folder.path("x").exists());
}

#[test]
fn a_library_that_is_not_amds_is_refused() {
    let folder = folder();
    let cases = [
        ("two.ll", TWO_KERNELS.as_bytes().to_vec(), "is not bitcode"),
        ("noise", (0..=255).collect(), "is not bitcode"),
        ("app", b"\x7fELF".to_vec(), "is not bitcode"),
        (
            "other.bc",
            assemble(TWO_KERNELS.as_bytes()).expect("IR"),
            "it defines no function that starts with `__ocml_`",
        ),
    ];
    for (name, content, reason) in cases {
        folder.write(name, &content);
        let output = folder.run(&["two.ll", "--kernel", "copy", "--library", name, "-o", "x"]);
        refused(&output, 1, reason);
        refused(&output, 1, name);
    }
    let cut = &assemble(TWO_KERNELS.as_bytes()).expect("IR")[..100];
    folder.write("cut.bc", cut);
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--library", "cut.bc", "-o", "x"]), 1, "cut.bc is not bitcode");
    assert!(!folder.path("x").exists());
}

#[test]
fn what_a_library_lacks_is_said_to_be_the_librarys() {
    let folder = folder();
    let ir = "define double @__ocml_cos_f64(double %x) { ret double %x }";
    folder.write("partial.bc", assemble(ir.as_bytes()).expect("IR"));
    let ir = "declare double @llvm.sin.f64(double)
define void @k(ptr %p) { %v = load double, ptr %p %s = call double @llvm.sin.f64(double %v) store double %s, ptr %p ret void }";
    folder.write("k.ll", ir);
    let own = folder.text(&["k.ll", "--emit", "asm", "-o", "-"]);
    assert!(own.contains(".amdhsa_kernel k"), "{own}");
    let output = folder.run(&["k.ll", "--library", "partial.bc", "-o", "x"]);
    refused(&output, 1, "`__ocml_sin_f64` (called through k): the library that was given does not define it");
    let ir = "@__oclc_new_control = external addrspace(4) constant i8
define double @__ocml_sin_f64(double %x) {
  %c = load i8, ptr addrspace(4) @__oclc_new_control
  %f = uitofp i8 %c to double
  ret double %f
}";
    folder.write("newer.bc", assemble(ir.as_bytes()).expect("IR"));
    let output = folder.run(&["k.ll", "--library", "newer.bc", "-o", "x"]);
    refused(&output, 1, "the library that was given, which asks for the control `__oclc_new_control`, cannot be used");
}

/// A container whose kernel `copy` was compiled with these options.
fn container(options: &[(&str, &str)]) -> Vec<u8> {
    let bytes = request(gpu("gfx90a")).image.bytes.to_vec();
    let image = ImageRecord { name: GLOBAL_IMAGE.to_owned(), bytes: bytes.clone(), ..Default::default() };
    let kernel = KernelRecord {
        symbol: "copy".into(),
        image_providers: vec![GLOBAL_IMAGE.to_owned()],
        ir_hash: known_closure(&bytes, &["copy"]).expect("bitcode").hash,
        compile_options: options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        ..Default::default()
    };
    ContainerBuilder::new().image(image).kernel(kernel).build().expect("a container")
}

#[test]
fn sizes_that_a_kernel_requires_are_used_and_checked() {
    let folder = folder();
    let options = [("reqd-work-group-size", "16,8,1"), ("reqd-sub-group-size", "64")];
    folder.write("k.hcf", container(&options));
    let flags = ["k.hcf", "--emit", "asm", "-o", "-"];
    let text = folder.text(&flags);
    assert!(text.contains(".max_flat_workgroup_size: 128") && text.contains(".reqd_workgroup_size:"), "{text}");
    assert_eq!(folder.text(&[&flags[..], &["--group-size", "16,8"]].concat()), text);
    let run = |more: &[&str]| folder.run(&[&["k.hcf", "-o", "x"][..], more].concat());
    refused(&run(&["--group-size", "64"]), 1, "kernel `copy` requires --group-size 16,8,1, and 64,1,1 is given");
    let narrow = run(&["--target", "gfx1100"]);
    refused(
        &narrow,
        1,
        "requires sub-groups of 64, those of amdgpu:gfx1100 have 32; pass --target gfx1100:wavefrontsize64+",
    );
    assert!(run(&["--target", "gfx1100:wavefrontsize64+"]).status.success());
    folder.write("k.hcf", container(&[("reqd-sub-group-size", "32")]));
    refused(&run(&["--target", "gfx90a"]), 1, "requires sub-groups of 32, those of amdgpu:gfx90a have 64\n");
    folder.write("k.hcf", container(&[]));
    refused(&run(&["--sub-group-size", "3"]), 2, "--sub-group-size asks for sub-groups of 3, those of amdgpu:gfx90a");
    folder.write("k.hcf", container(&[("reqd-work-group-size", "16")]));
    refused(&run(&[]), 1, "`reqd-work-group-size = 16` is not three positive numbers");
}

#[test]
fn inputs_that_are_given_by_mistake_are_named() {
    let folder = folder();
    folder.write("saxpy.cpp", "#include <sycl/sycl.hpp>\nint main() {}");
    refused(&folder.run(&["saxpy.cpp", "-o", "x"]), 1, "saxpy.cpp: this is C++ source; compile it with sinter-cc");
    folder.text(&["two.ll", "--kernel", "copy", "-o", "k.co"]);
    refused(&folder.run(&["k.co", "-o", "x"]), 1, "k.co: this is code for an AMD GPU already");
    let bitcode = assemble(TWO_KERNELS.as_bytes()).expect("IR");
    folder.write("cut.bc", &bitcode[..bitcode.len() / 2]);
    refused(&folder.run(&["cut.bc", "-o", "x"]), 1, "cut.bc: the bitcode is damaged or cut off");
}

#[test]
fn flags_that_say_different_things_are_refused() {
    let folder = folder();
    let run = |flags: &[&str]| folder.run(&[&["two.ll", "--kernel", "copy", "-o", "x"][..], flags].concat());
    let lower = "--stop-after lower leaves finished code; leave out --emit";
    refused(&run(&["--stop-after", "lower", "--emit", "ir"]), 2, lower);
    refused(&run(&["--stop-after", "lower", "--emit", "asm"]), 2, lower);
    refused(&run(&["--stop-after", "check", "--emit", "co"]), 2, "--stop-after check leaves IR; leave out --emit co");
    assert!(run(&["--stop-after", "check", "--emit", "ir"]).status.success());
    assert!(run(&["--stop-after", "lower", "--emit", "co"]).status.success());
    fs::remove_file(folder.path("x")).expect("output");
    refused(&run(&["--dimensions", "1", "--group-size", "8,8"]), 2, "--group-size 8,8,1 has more dimensions than");
    refused(&run(&["--json"]), 2, "--json");
    refused(&run(&["--list-kernels"]), 2, "--list-kernels");
    refused(&folder.run(&["--print-steps", "-o", "x"]), 2, "--print-steps");
    refused(&folder.run(&["--list-kernels", "--print-steps", "two.ll"]), 2, "--print-steps");
    refused(&run(&["--dump", "no/such"]), 1, "--dump: cannot write to no/such");
    folder.write("unnamed.ll", "define void @0(ptr %p) { ret void }");
    refused(&folder.run(&["unnamed.ll", "-o", "x"]), 1, "unnamed.ll has no kernel: a function with a name");
    assert!(!folder.path("x").exists() && !folder.path("no").exists());
}

/// Without a digest, LLVM's reader reads other code from damaged bitcode, or crashes.
#[test]
fn damage_to_a_request_or_container_is_found_by_its_digest() {
    let folder = folder();
    let request = request(gpu("gfx90a"));
    let (name, bytes) = (GLOBAL_IMAGE.to_owned(), request.image.bytes.to_vec());
    let image = ImageRecord { name: name.clone(), bytes, ..Default::default() };
    let kernel = KernelRecord { symbol: "copy".into(), image_providers: vec![name], ..Default::default() };
    let container = ContainerBuilder::new().image(image).kernel(kernel).build().expect("a container");
    let cases = [
        (&["--replay", "k.request"], request.to_bytes(), "k.request: damaged translation request"),
        (&["--list-kernels", "k.hcf"], container, "k.hcf: the object id is"),
    ];
    for (flags, whole, reason) in cases {
        folder.write(flags[1], &whole);
        assert!(folder.run(flags).status.success(), "{flags:?}");
        for place in (1..10).map(|tenth| whole.len() - whole.len() * tenth / 20) {
            let mut damaged = whole.clone();
            damaged[place] ^= 4;
            folder.write(flags[1], damaged);
            refused(&folder.run(flags), 1, reason);
        }
    }
}
