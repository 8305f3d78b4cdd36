//! Containers and bitcode of other compilers.

use crate::folder::{Folder, refused};
use sinter_translate::assemble;

/// IR as AdaptiveCpp's stage 1 emits it: builtins with the old prefix, a constant with a
/// placeholder value, calls that annotate functions, a list of kernels, and scalar and pointer
/// parameters in the order of the records.
const IMAGE: &str = r#"
target triple = "x86_64-pc-linux-gnu"
@_ZZN26__acpp_sscp_s2_ir_constantIL_ZN7hipsycl4sycl3jitL15current_backendEEiE3getEiE20__acpp_ir_constant_v = global i32 0, align 4
declare i64 @__hipsycl_sscp_get_group_id_x()
declare i64 @__hipsycl_sscp_get_local_size_x()
declare i64 @__hipsycl_sscp_get_local_id_x()
declare i1 @__acpp_sscp_jit_reflect_target_is_gpu()
declare void @__acpp_function_annotation_needs_function_ptr_argument_reflection()
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare void @shared(ptr)
define void @_Z18__acpp_sscp_kernelI3axpE(ptr %y, i32 %n, float %a, ptr %x, i64 %unused) #0 {
  call void @__acpp_function_annotation_needs_function_ptr_argument_reflection()
  %backend = load i32, ptr @_ZZN26__acpp_sscp_s2_ir_constantIL_ZN7hipsycl4sycl3jitL15current_backendEEiE3getEiE20__acpp_ir_constant_v
  %group = call i64 @__hipsycl_sscp_get_group_id_x()
  %size = call i64 @__hipsycl_sscp_get_local_size_x()
  %item = call i64 @__hipsycl_sscp_get_local_id_x()
  %base = mul i64 %group, %size
  %id = add i64 %base, %item
  %n.wide = sext i32 %n to i64
  %outside = icmp sge i64 %id, %n.wide
  br i1 %outside, label %done, label %work
work:
  %px = getelementptr float, ptr %x, i64 %id
  %py = getelementptr float, ptr %y, i64 %id
  %vx = load float, ptr %px
  %vy = load float, ptr %py
  %device = icmp eq i32 %backend, 1
  br i1 %device, label %ptx, label %other
ptx:
  %fused = call float @llvm.nvvm.fma.rn.f(float %a, float %vx, float %vy)
  br label %store
other:
  %product = fmul float %a, %vx
  %sum = fadd float %product, %vy
  br label %store
store:
  %result = phi float [ %fused, %ptx ], [ %sum, %other ]
  store float %result, ptr %py
  call void @shared(ptr %py)
  br label %done
done:
  ret void
}
define void @second(ptr %p) {
  ret void
}
attributes #0 = { noinline optnone sspstrong "frame-pointer"="all" "target-cpu"="znver4" }
!hipsycl.sscp.annotations = !{!0, !1}
!0 = !{ptr @_Z18__acpp_sscp_kernelI3axpE, !"hipsycl_kernel_dimension", i32 1}
!1 = !{ptr @second, !"hipsycl_kernel_dimension", i32 1}
"#;
const OTHER: &str = "define void @shared(ptr %p) { store float 2.0, ptr %p ret void }";
const KERNEL: &str = "_Z18__acpp_sscp_kernelI3axpE";

/// A node with its content, in the nesting syntax of the format.
fn node(name: &str, content: &str) -> String {
    format!("{{.{name}\n{content}}}.{name}\n")
}

/// A container with one kernel, and a second image that exports the function that the kernel's
/// image imports.
fn container(marker: &str) -> Vec<u8> {
    let [own, other] = [IMAGE, OTHER].map(|ir| assemble(ir.as_bytes()).expect("IR"));
    let image = |name: &str, start: usize, size: usize, symbols: &str| {
        let binary = node("__binary", &format!("start = {start}\nsize = {size}\n"));
        node(name, &format!("variant = global-module\nformat = llvm-ir\n{symbols}{binary}"))
    };
    let first = image("llvm-ir.global", 0, own.len(), &node("imported-symbols", &node("shared", "")));
    let second = image("llvm-ir.other", own.len(), other.len(), &node("exported-symbols", &node("shared", "")));
    let images = node("images", &(first + &second));
    let kernels = node("kernels", &kernel());
    let text = format!("object-id = 8731046624981462\ngenerator = hipSYCL SSCP\n{images}{kernels}");
    [text.as_bytes(), marker.as_bytes(), &own, &other].concat()
}

fn kernel() -> String {
    let parameters = [
        ("pointer", 8, 0, "", 0),
        ("integer", 4, 8, "specialized = 1\n", 1),
        ("floating-point", 4, 12, "", 2),
        ("pointer", 8, 16, "", 3),
        ("integer", 8, 24, "fcall_specialized_config = 1\n", 4),
    ];
    let records = parameters.into_iter().enumerate().map(|(i, (kind, size, offset, annotations, field))| {
        let place = format!("byte-offset = {offset}\nbyte-size = {size}\noriginal-index = {field}\ntype = {kind}\n");
        node(&i.to_string(), &(place + &node("annotations", annotations)))
    });
    let provider = node("image-providers", &node("llvm-ir.global", ""));
    let flags = node("compile-flags", "fast-math = 0\n") + &node("compile-options", "");
    node(KERNEL, &(provider + &flags + &node("parameters", &records.collect::<String>())))
}

fn folder() -> Folder {
    Folder::new("llvm-to-host-tool")
}

#[test]
fn a_container_of_adaptivecpp_is_lowered() {
    // A fixed CPU, not the native one, which the container might name.
    let cpu = ["--target", "x86-64-v2"];
    for marker in ["__acpp_hcf_binary_appendix", "__hipsycl_hcf_binary_appendix"] {
        let folder = folder();
        folder.write("app.hcf", container(marker));
        let list = folder.text(&["--list-kernels", "app.hcf"]);
        assert_eq!(list, format!("__acpp_sscp_kernel<axp> [{KERNEL}]\n"));
        folder.text(&["app.hcf", "--kernel", KERNEL, "--arg", "1=i32:64", "-o", "k.o"]);
        assert!(folder.read("k.o").starts_with(b"\x7fELF"));
        let ir = folder.text(&["app.hcf", "--stop-after", "check", "-o", "-", cpu[0], cpu[1]]);
        assert!(ir.contains("define void @_Z18__acpp_sscp_kernelI3axpE(") && ir.contains("store float 2.0"), "{ir}");
        for gone in ["nvvm", "hipsycl_sscp", "annotation_needs", "jit_reflect", "@second(", "znver4"] {
            assert!(!ir.contains(gone), "{gone}: {ir}");
        }
    }
}

/// An object file with a container as AdaptiveCpp's compiler emits it: a local read-only variable,
/// with a zero byte behind the container.
fn embed(folder: &Folder, container: &str, object: &str) {
    let variable = "__acpp_local_sscp_hcf_content.initialized";
    let source = format!(
        ".section .rodata,\"a\",@progbits\n.asciz \"object-id\"\n.balign 16\n.type {variable},@object\n{variable}:
.incbin \"{container}\"\n.byte 0\n.size {variable}, .-{variable}\n.section .note.GNU-stack,\"\",@progbits\n"
    );
    folder.write("embed.s", source);
    compile(folder, &["-c", "embed.s", "-o", object]);
}

fn compile(folder: &Folder, arguments: &[&str]) {
    let mut compiler = std::process::Command::new("clang++-19");
    let output = compiler.args(arguments).current_dir(folder.path("")).output().expect("clang++-19 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_program_of_adaptivecpp_is_lowered() {
    let folder = folder();
    let marker = "__acpp_hcf_binary_appendix";
    // The compiler emits no blanks around `=`.
    let spaced = container(marker);
    let first = b"object-id = ";
    folder.write("app.hcf", [b"object-id=", &spaced[first.len()..]].concat());
    let empty = format!("object-id=1\ngenerator=hipSYCL SSCP\n{}", node("images", "") + marker);
    folder.write("empty.hcf", &empty);
    embed(&folder, "app.hcf", "app.o");
    embed(&folder, "empty.hcf", "empty.o");
    folder.write("main.cpp", "int main() {}");
    compile(&folder, &["main.cpp", "app.o", "empty.o", "-o", "app"]);
    compile(&folder, &["main.cpp", "app.o", "empty.o", "-s", "-o", "stripped"]);
    compile(&folder, &["-shared", "-s", "app.o", "-o", "libapp.so"]);
    for file in ["app.o", "app", "stripped", "libapp.so"] {
        assert_eq!(folder.text(&["--list-kernels", file]), format!("__acpp_sscp_kernel<axp> [{KERNEL}]\n"), "{file}");
        let ir = folder.text(&[file, "--stop-after", "check", "-o", "-"]);
        assert!(ir.contains("define void @_Z18__acpp_sscp_kernelI3axpE(") && ir.contains("store float 2.0"), "{ir}");
    }
    compile(&folder, &["main.cpp", "-o", "plain"]);
    refused(&folder.run(&["--list-kernels", "plain"]), 1, "no container of AdaptiveCpp");
}

/// The six-bit encoding in which bitcode stores short strings.
fn six_bits(text: &str) -> Vec<bool> {
    const CHARACTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    let codes = text.chars().map(|c| CHARACTERS.find(c).expect("a character of the set"));
    codes.flat_map(|code| (0..6).map(move |bit| code >> bit & 1 == 1)).collect()
}

/// The bitcode with its producer string replaced by one of the same length.
fn written_by(bitcode: &[u8], from: &str, to: &str) -> Vec<u8> {
    let mut bits: Vec<bool> = bitcode.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)).collect();
    let (from, to) = (six_bits(from), six_bits(to));
    let at = bits.windows(from.len()).position(|window| window == from).expect("the writer's name");
    bits[at..at + to.len()].copy_from_slice(&to);
    bits.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit))).collect()
}

#[test]
fn bitcode_of_a_newer_llvm_is_refused_by_name() {
    let folder = folder();
    folder.write("new.bc", written_by(&assemble(OTHER.as_bytes()).expect("IR"), "LLVM19", "LLVM23"));
    let output = folder.run(&["new.bc", "--kernel", "shared", "-o", "k.so"]);
    refused(&output, 1, "was written by LLVM23");
    refused(&output, 1, "compile the program with clang");
}
