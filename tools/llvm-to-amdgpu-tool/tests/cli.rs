//! The command line of llvm-to-amdgpu-tool: output, messages, exit status.

#[path = "../../common/translate/tests/shared/folder.rs"]
mod folder;

use folder::{Folder, TWO_KERNELS, refused};
use sinter_core::{
    Image, KernelConfig, Target, TranslateRequest,
    container::{ContainerBuilder, GLOBAL_IMAGE, ImageRecord, KernelRecord},
};
use sinter_llvm::kernel_hash::known_closure;
use sinter_translate::{assemble, native_target};
use std::fs;

fn folder() -> Folder {
    Folder::new(env!("CARGO_BIN_EXE_llvm-to-amdgpu-tool"))
}

fn request(target: Target) -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: None, bytes: assemble(TWO_KERNELS.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target,
        config: KernelConfig::generic("copy"),
    }
}

fn gpu(id: &str) -> Target {
    Target::Amdgcn(id.parse().expect("a target ID"))
}

#[test]
fn lists() {
    let folder = folder();
    assert_eq!(folder.text(&["--list-kernels", "two.ll"]), "copy\n_Z5scalePif (scale(int*, float))\n");
    assert_eq!(folder.text(&["--list-kernels", "--json", "two.ll"]), "[\"copy\",\"_Z5scalePif\"]\n");
    assert!(folder.text(&["--print-steps"]).starts_with("parse\nimports\nlaunch-shape\nspecialize\n"));
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
    // The types of ELF files: relocatable and shared.
    for (emit, kind) in [("obj", 1), ("co", 3)] {
        folder.text(&["two.ll", "--kernel", "copy", "--emit", emit, "-o", "copy.out"]);
        let bytes = fs::read(folder.path("copy.out")).expect("output");
        assert!(bytes.starts_with(b"\x7fELF") && bytes[16] == kind, "{emit}");
    }
}

#[test]
fn says_which_line_code_comes_from() {
    let folder = folder();
    let ir = "define void @k(ptr %p) !dbg !4 { store i32 1, ptr %p, !dbg !6 ret void, !dbg !6 }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: \"kernel.cpp\", directory: \"/source\")
!2 = !{i32 2, !\"Debug Info Version\", i32 3}
!4 = distinct !DISubprogram(name: \"k\", file: !1, line: 6, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 7, column: 3, scope: !4)";
    folder.write("k.ll", ir);
    let code = |flags: &[&str]| {
        folder.text(&[&["k.ll", "-o", "k.co"][..], flags].concat());
        fs::read(folder.path("k.co")).expect("output")
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
    refused(&folder.run(&["two.ll", "-o", "x"]), 2, "_Z5scalePif (scale(int*, float))");
    refused(&folder.run(&["two.ll", "--kernel", "copi", "-o", "x"]), 1, "did you mean `copy`?");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--library", "missing", "-o", "x"]), 1, "cannot read missing");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--emit", "so", "-o", "x"]), 2, "asm");
    refused(&folder.run(&["two.ll", "--kernel", "copy"]), 2, "-o FILE");
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
        fs::write(folder.path(name), &content).expect("write");
        let output = folder.run(&["two.ll", "--kernel", "copy", "--library", name, "-o", "x"]);
        refused(&output, 1, reason);
        refused(&output, 1, name);
    }
    let cut = &assemble(TWO_KERNELS.as_bytes()).expect("IR")[..100];
    fs::write(folder.path("cut.bc"), cut).expect("write");
    refused(&folder.run(&["two.ll", "--kernel", "copy", "--library", "cut.bc", "-o", "x"]), 1, "cut.bc is not bitcode");
    assert!(!folder.path("x").exists());
}

#[test]
fn what_a_library_lacks_is_said_to_be_the_librarys() {
    let folder = folder();
    let ir = "define double @__ocml_cos_f64(double %x) { ret double %x }";
    fs::write(folder.path("partial.bc"), assemble(ir.as_bytes()).expect("IR")).expect("write");
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
    fs::write(folder.path("newer.bc"), assemble(ir.as_bytes()).expect("IR")).expect("write");
    let output = folder.run(&["k.ll", "--library", "newer.bc", "-o", "x"]);
    refused(&output, 1, "the library that was given, which asks for the control `__oclc_new_control`, cannot be used");
}

/// A container whose kernel `copy` has these options.
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
    fs::write(folder.path("k.hcf"), container(&options)).expect("write");
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
    fs::write(folder.path("k.hcf"), container(&[("reqd-sub-group-size", "32")])).expect("write");
    refused(&run(&["--target", "gfx90a"]), 1, "requires sub-groups of 32, those of amdgpu:gfx90a have 64\n");
    fs::write(folder.path("k.hcf"), container(&[("reqd-work-group-size", "16")])).expect("write");
    refused(&run(&[]), 1, "`reqd-work-group-size = 16` is not three positive numbers");
}

#[test]
fn inputs_that_are_given_by_mistake_are_named() {
    let folder = folder();
    fs::write(folder.path("saxpy.cpp"), "#include <sycl/sycl.hpp>\nint main() {}").expect("write");
    refused(&folder.run(&["saxpy.cpp", "-o", "x"]), 1, "saxpy.cpp: this is C++ source; compile it with sinter-cc");
    folder.text(&["two.ll", "--kernel", "copy", "-o", "k.co"]);
    refused(&folder.run(&["k.co", "-o", "x"]), 1, "k.co: this is code for an AMD GPU already");
    let bitcode = assemble(TWO_KERNELS.as_bytes()).expect("IR");
    fs::write(folder.path("cut.bc"), &bitcode[..bitcode.len() / 2]).expect("write");
    refused(&folder.run(&["cut.bc", "-o", "x"]), 1, "cut.bc: the bitcode is damaged or cut off");
}

#[test]
fn constants_have_readable_names() {
    let folder = folder();
    let ir = "@_ZL3sid = internal constant i32 5
@_ZN2ns5depthE = external global i32
@_ZN2ab4sizeE = external global i32
@_ZN2cd4sizeE = external global i32
declare ptr @__sinter_specialization_constant(ptr)
define void @k(ptr %p) {
  %c = call ptr @__sinter_specialization_constant(ptr @_ZL3sid)
  %a = load i32, ptr %c
  %b = load i32, ptr @_ZN2ns5depthE
  %s = add i32 %a, %b
  store i32 %s, ptr %p
  ret void
}
define void @other(ptr %p) {
  %a = load i32, ptr @_ZN2ab4sizeE
  %b = load i32, ptr @_ZN2cd4sizeE
  %s = add i32 %a, %b
  store i32 %s, ptr %p
  ret void
}";
    fs::write(folder.path("k.ll"), ir).expect("write");
    let flags = ["k.ll", "--kernel", "k", "--emit", "ir", "-o", "-", "--constant", "sid=i32:30", "--constant"];
    for depth in ["ns::depth=i32:12", "depth=i32:12", "_ZN2ns5depthE=i32:12"] {
        let text = folder.text(&[&flags[..], &[depth]].concat());
        assert!(text.contains("store i32 42"), "{text}");
    }
    let several = folder.run(&["k.ll", "--kernel", "other", "--constant", "size=i32:1", "-o", "x"]);
    refused(&several, 2, "2 constants are called `size`; choose one:\n  _ZN2ab4sizeE (ab::size)");
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
    fs::write(folder.path("unnamed.ll"), "define void @0(ptr %p) { ret void }").expect("write");
    refused(&folder.run(&["unnamed.ll", "-o", "x"]), 1, "unnamed.ll has no kernel: a function with a name");
    assert!(!folder.path("x").exists() && !folder.path("no").exists());
}

#[test]
fn replays_a_request_to_the_same_bytes() {
    let folder = folder();
    folder.write("failed.request", request(gpu("gfx90a:xnack-")).to_bytes());
    let flags = [
        &["--replay", "failed.request", "-o", "a.co"][..],
        &["two.ll", "--kernel", "copy", "--target", "gfx90a:xnack-", "-o", "b.co"],
    ];
    flags.into_iter().for_each(|flags| drop(folder.text(flags)));
    let [replayed, direct] = ["a.co", "b.co"].map(|name| fs::read(folder.path(name)).expect("output"));
    assert_eq!(replayed, direct);
    let only = folder.run(&["--replay", "failed.request"]);
    assert!(only.status.success() && only.stdout.is_empty());
    assert!(String::from_utf8_lossy(&only.stderr).contains("the request translates"));
    refused(&folder.run(&["--replay", "two.ll", "-o", "x"]), 1, "not a translation request");
    folder.write("host.request", request(Target::Host(native_target())).to_bytes());
    refused(&folder.run(&["--replay", "host.request", "-o", "x"]), 1, "translate it with llvm-to-host-tool");
}

/// Without a digest, LLVM's reader takes other code from damaged bitcode, or ends the process.
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
        fs::write(folder.path(flags[1]), &whole).expect("write");
        assert!(folder.run(flags).status.success(), "{flags:?}");
        for place in (1..10).map(|tenth| whole.len() - whole.len() * tenth / 20) {
            let mut damaged = whole.clone();
            damaged[place] ^= 4;
            fs::write(folder.path(flags[1]), damaged).expect("write");
            refused(&folder.run(flags), 1, reason);
        }
    }
}

#[test]
fn the_examples_of_the_help_run() {
    let folder = folder();
    let ir = "@n = external global i32
define void @triad(ptr %p) { store i32 7, ptr %p ret void }
define void @use(ptr %p) { %v = load i32, ptr @n store i32 %v, ptr %p ret void }";
    for name in ["app", "k.ll"] {
        folder.write(name, ir);
    }
    folder.write("failed.request", request(gpu("gfx90a")).to_bytes());
    folder.run_examples("llvm-to-amdgpu-tool");
}
