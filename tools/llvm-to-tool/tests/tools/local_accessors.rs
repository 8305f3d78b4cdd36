//! Local accessors on the command line: `--local` gives the values that a launch compiles in, and a
//! note names the missing ones.

use crate::folder::{Folder, refused};
use sinter_core::{
    Parameter, ParameterKind,
    container::{ContainerBuilder, GLOBAL_IMAGE, ImageRecord, KernelRecord},
    parameter::{LOCAL_ACCESSOR, SPECIALIZED},
};
use sinter_llvm::kernel_hash::known_closure;
use sinter_translate::assemble;

/// Two accessors, of two dimensions and of one, a pointer and a `sycl::specialized` value.
const KERNEL: &str = "define void @k(i32 %a, i64 %rows, i64 %columns, i32 %b, i64 %count, ptr %p, i64 %s) {
  %first = mul i64 %rows, 1000000
  %second = mul i64 %columns, 10000
  %place = zext i32 %b to i64
  %third = mul i64 %place, 100
  %x = add i64 %first, %second
  %y = add i64 %x, %third
  %z = add i64 %y, %count
  %sum = add i64 %z, %s
  store i64 %sum, ptr %p
  ret void
}";

fn parameter(byte_offset: u32, byte_size: u32, annotations: &[&str]) -> Parameter {
    let kind = if annotations.is_empty() { ParameterKind::Pointer } else { ParameterKind::Integer };
    let annotations = annotations.iter().map(|&annotation| annotation.to_owned()).collect();
    Parameter { byte_offset, byte_size, original_index: 0, kind, annotations }
}

/// A folder with `k.hcf`, a container with the kernel, and `k.ll`, its IR.
fn folder() -> Folder {
    let local = [SPECIALIZED, LOCAL_ACCESSOR];
    let places = [(0, 4), (8, 8), (16, 8), (24, 4), (32, 8)].map(|(offset, size)| parameter(offset, size, &local));
    let others = [parameter(40, 8, &[]), parameter(48, 8, &[SPECIALIZED])];
    let bytes = assemble(KERNEL.as_bytes()).expect("IR");
    let kernel = KernelRecord {
        symbol: "k".into(),
        image_providers: vec![GLOBAL_IMAGE.to_owned()],
        ir_hash: known_closure(&bytes, &["k"]).expect("bitcode").hash,
        parameters: places.into_iter().chain(others).collect(),
        ..Default::default()
    };
    let image = ImageRecord { name: GLOBAL_IMAGE.to_owned(), bytes, ..Default::default() };
    let container = ContainerBuilder::new().image(image).kernel(kernel).build().expect("a container");
    let folder = Folder::new("llvm-to-amdgpu-tool");
    folder.write("k.hcf", container);
    folder.write("k.ll", KERNEL);
    folder
}

/// The optimised IR, and the messages of the tool.
fn ir(folder: &Folder, flags: &[&str]) -> (String, String) {
    let output = folder.run(&[&["k.hcf", "--emit", "ir", "-o", "-"][..], flags].concat());
    let [text, notes] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success(), "{notes}");
    (text, notes)
}

#[test]
fn accessors_have_the_places_and_sizes_of_a_launch() {
    let folder = folder();
    let (text, notes) = ir(&folder, &["--local", "4:3,5", "--local", "8:7", "--arg", "6=i64:100000000"]);
    // 3 rows, 5 columns, 64 bytes before the second accessor, 7 elements.
    assert!(text.contains("store i64 103056407,"), "{text}");
    assert_eq!(notes, "");
}

#[test]
fn what_only_a_launch_would_know_is_named() {
    let folder = folder();
    let (text, notes) = ir(&folder, &[]);
    assert!(text.contains("mul i64"), "{text}");
    let note = "note: a launch compiles values into kernel `k` that the command line does not give: parameters";
    assert!(notes.contains(&format!("{note} 0, 1, 2, 3, 4, 6;")), "{notes}");
    assert!(notes.contains("pass --local and --arg"), "{notes}");
    let (_, notes) = ir(&folder, &["--local", "4:3,5", "--local", "8:7"]);
    assert!(notes.contains(&format!("{note} 6;")) && notes.contains("pass --arg"), "{notes}");
    let (_, notes) = ir(&folder, &["--arg", "6=i64:1"]);
    assert!(notes.contains("pass --local\n"), "{notes}");
}

#[test]
fn sizes_of_other_accessors_are_refused() {
    let folder = folder();
    let run = |input: &str, flags: &[&str]| folder.run(&[&[input, "-o", "x"][..], flags].concat());
    let has = "kernel `k` has 2 local accessors; in their order they have these dimensions: 2, 1";
    refused(&run("k.hcf", &["--local", "4:3,5"]), 1, has);
    refused(&run("k.hcf", &["--local", "4:3", "--local", "4:3"]), 1, has);
    refused(&run("k.ll", &["--local", "4:3"]), 1, "kernel `k` has no local accessor; where the input is IR");
    let both = run("k.hcf", &["--local", "4:3,5", "--local", "8:7", "--arg", "1=i64:3"]);
    refused(&both, 2, "--arg 1 and --local give the same parameter");
    let large = run("k.hcf", &["--local", "4:65536,65536", "--local", "8:7"]);
    refused(&large, 2, "the accessors have more than 4294967295 bytes");
    refused(&run("k.hcf", &["--local", "4"]), 2, "is not of the form BYTES:X[,Y[,Z]]");
    assert!(!folder.path("x").exists());
}
