//! The kernel hash changes with the kernel's closure and with nothing else.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use sinter_llvm::{
    Session,
    inkwell::{context::Context, memory_buffer::MemoryBuffer},
    kernel_hash::{closure_module, kernel_closure, kernel_hash},
};

const MODULE: &str = r#"
source_filename = "one.cpp"
%struct.Point = type { i32, float }
@.str = private unnamed_addr constant [4 x i8] c"abc\00"
@table = internal constant [2 x i32] [i32 7, i32 8], align 4

define void @kernel(ptr %out, i32 %n) #0 {
entry:
  %value = call i32 @helper(i32 %n)
  %element = getelementptr inbounds %struct.Point, ptr %out, i64 1, i32 0
  store i32 %value, ptr %element, align 4, !tbaa !1
  br label %done
done:
  ret void
}

define internal i32 @helper(i32 %x) {
  %slot = getelementptr [2 x i32], ptr @table, i64 0, i32 %x
  %value = load i32, ptr %slot, align 4
  %sum = add nsw i32 %value, %x
  %big = sitofp i32 %sum to float
  %scaled = fmul contract float %big, 2.0
  %back = fptosi float %scaled to i32
  ret i32 %back
}

define void @other(ptr %p) {
  store i32 1, ptr %p
  %s = load i8, ptr @.str
  ret void
}

attributes #0 = { nounwind "no-nans-fp-math"="true" }
!1 = !{!2, !2, i64 0}
!2 = !{!"int", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
"#;

const DEBUG: &str = r#"
!llvm.dbg.cu = !{!10}
!llvm.module.flags = !{!12}
!10 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !11, emissionKind: FullDebug)
!11 = !DIFile(filename: "one.cpp", directory: "/somewhere")
!12 = !{i32 2, !"Debug Info Version", i32 3}
!13 = distinct !DISubprogram(name: "helper", file: !11, line: 1, unit: !10, spFlags: DISPFlagDefinition, type: !15)
!14 = !DILocation(line: 3, column: 4, scope: !13)
!15 = !DISubroutineType(types: !{})"#;

fn hash(text: &str) -> [u8; 32] {
    kernel_hash(&bitcode(text), "kernel").unwrap()
}

fn bitcode(text: &str) -> Vec<u8> {
    let context = Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "test");
    let module = context.create_module_from_ir(buffer).unwrap();
    module.write_bitcode_to_memory().as_slice().to_vec()
}

fn replaced(from: &str, to: &str) -> String {
    assert!(MODULE.contains(from), "{from}");
    MODULE.replacen(from, to, 1)
}

#[test]
fn each_change_inside_the_closure_changes_the_hash() {
    let changes = [
        ("i32 7, i32 8", "i32 7, i32 9"),
        ("i32 8], align 4", "i32 8], align 8"),
        ("@table = internal constant", "@table = internal global"),
        ("add nsw", "add nuw"),
        ("fmul contract", "fmul fast"),
        ("%big, 2.0", "%big, 3.0"),
        ("nounwind \"no-nans", "\"no-nans"),
        ("\"no-nans-fp-math\"=\"true\"", "\"no-nans-fp-math\"=\"false\""),
        ("ptr %element, align 4", "ptr %element, align 2"),
        (", !tbaa !1", ""),
        ("!{!2, !2, i64 0}", "!{!2, !2, i64 4}"),
        ("inbounds %struct.Point", "%struct.Point"),
        ("{ i32, float }", "{ i32, double }"),
        ("call i32 @helper", "tail call i32 @helper"),
        ("define internal i32 @helper(i32 %x) {", "define internal i32 @helper(i32 %x) noinline {"),
        ("define void @kernel(ptr %out", "define void @kernel(ptr noalias %out"),
    ];
    let original = hash(MODULE);
    for (from, to) in changes {
        assert_ne!(hash(&replaced(from, to)), original, "{from} -> {to}");
    }
}

#[test]
fn names_and_paths_do_not_matter() {
    let original = hash(MODULE);
    assert_eq!(hash(&replaced("one.cpp", "/elsewhere/two.cpp")), original);
    assert_eq!(hash(&MODULE.replace("%value", "%renamed")), original);
    assert_eq!(hash(&MODULE.replace("@helper", "@renamed")), original);
    assert_eq!(hash(&MODULE.replace("@table", "@renamed")), original);
    assert_eq!(hash(&MODULE.replace("%struct.Point", "%struct.Renamed.12")), original);
}

#[test]
fn code_outside_the_closure_does_not_matter() {
    let original = hash(MODULE);
    assert_eq!(hash(&replaced("store i32 1, ptr %p", "store i32 2, ptr %p")), original);
    let earlier = replaced("@.str = ", "@.str.0 = private unnamed_addr constant [2 x i8] c\"x\\00\"\n@.str = ");
    assert_eq!(hash(&earlier), original);
    let scope = "\ndefine void @more(ptr %p) {\n  fence syncscope(\"agent\") seq_cst\n  store i32 1, ptr %p, !mine !9\n  ret void\n}\n!9 = !{}\n";
    assert_eq!(hash(&format!("{MODULE}{scope}")), original);
}

#[test]
fn the_order_of_declarations_does_not_matter() {
    let helper = MODULE.find("define internal i32 @helper").unwrap();
    let other = MODULE.find("define void @other").unwrap();
    let kernel = MODULE.find("define void @kernel").unwrap();
    let moved = [&MODULE[..kernel], &MODULE[helper..other], &MODULE[kernel..helper], &MODULE[other..]].concat();
    assert_eq!(hash(&moved), hash(MODULE));
}

#[test]
fn debug_information_does_not_matter() {
    let located = replaced("%sum = add nsw i32 %value, %x", "%sum = add nsw i32 %value, %x, !dbg !14");
    let located = located.replacen("@helper(i32 %x) {", "@helper(i32 %x) !dbg !13 {", 1) + DEBUG;
    assert_eq!(hash(&located), hash(MODULE));
}

#[test]
fn the_closure_is_an_image_with_the_same_hash() {
    let located = replaced("%sum = add nsw i32 %value, %x", "%sum = add nsw i32 %value, %x, !dbg !14");
    let located = located.replacen("@helper(i32 %x) {", "@helper(i32 %x) !dbg !13 {", 1) + DEBUG;
    for text in [MODULE.to_owned(), located] {
        let closure = kernel_closure(&bitcode(&text), "kernel").unwrap();
        assert_eq!(closure.hash, hash(MODULE));
        assert_eq!(kernel_hash(&closure.bitcode, "kernel").unwrap(), closure.hash);
        assert!(kernel_hash(&closure.bitcode, "other").is_err());
    }
    let odd = replaced("%sum = add nsw i32 %value, %x", "%sum = add nsw i32 %value, %value");
    assert!(!kernel_closure(&bitcode(&odd), "kernel").unwrap().bitcode.is_empty());
}

#[test]
fn the_closure_read_in_place_has_the_same_hash_and_its_names() {
    let image = bitcode(&(MODULE.to_owned() + "!sinter.list = !{!2, !3}"));
    let read = || {
        let session = Session::new().unwrap();
        let (module, hash) = closure_module(&session, &image, "kernel").unwrap().unwrap();
        assert_eq!(hash, kernel_hash(&image, "kernel").unwrap());
        module.text()
    };
    let first = read();
    for part in ["%struct.Point = type", "@table = internal constant", "@helper(", "!sinter.list = !{!"] {
        assert!(first.contains(part), "`{part}` in:\n{first}");
    }
    for part in ["@other", "@.str", "source_filename"] {
        assert!(!first.contains(part), "`{part}` in:\n{first}");
    }
    assert_eq!(first, read(), "with a digest that is known");
}

#[test]
fn an_image_with_debug_information_or_damage_is_not_read_in_place() {
    let located = replaced("%sum = add nsw i32 %value, %x", "%sum = add nsw i32 %value, %x, !dbg !14");
    let located = located.replacen("@helper(i32 %x) {", "@helper(i32 %x) !dbg !13 {", 1) + DEBUG;
    let session = Session::new().unwrap();
    for image in [bitcode(&located), bitcode(MODULE)[..200].to_vec(), vec![]] {
        assert!(closure_module(&session, &image, "kernel").unwrap().is_none());
    }
    assert!(closure_module(&session, &bitcode(MODULE), "missing").unwrap().is_none());
    assert!(closure_module(&session, &bitcode(MODULE), "kernel").unwrap().is_some(), "the session goes on");
}

#[test]
fn what_is_missing_is_named() {
    let error = kernel_hash(&bitcode(MODULE), "absent").unwrap_err();
    assert!(error.to_string().contains("absent"), "{error}");
    assert!(kernel_hash(b"BC\xc0\xde garbage", "kernel").is_err());
    assert!(kernel_hash(b"", "kernel").is_err());
    let mut truncated = bitcode(MODULE);
    truncated.truncate((truncated.len() / 2) & !3);
    assert!(kernel_hash(&truncated, "kernel").is_err());
}

/// Libraries and images of older compilers contain intrinsics that are upgraded when they are read,
/// which removes their declarations.
#[test]
fn an_intrinsic_that_no_longer_exists_is_no_harm() {
    let text = "define i32 @kernel(i32 %x) {
  %y = call i32 @old(i32 %x)
  ret i32 %y
}
define i32 @other(i32 %x) {
  %y = call i32 @older(i32 %x)
  ret i32 %y
}
declare i32 @old(i32)
declare i32 @older(i32)
";
    let session = Session::new().unwrap();
    let module = session.parse(text.as_bytes()).unwrap();
    module.function("old").unwrap().set_name("llvm.nvvm.abs.i");
    module.function("older").unwrap().set_name("llvm.nvvm.max.i");
    let closure = kernel_closure(&module.bitcode(), "kernel").unwrap();
    let own = session.parse(&closure.bitcode).unwrap();
    assert!(own.function("llvm.nvvm.max.i").is_none() && own.function("other").is_none());
    assert_eq!(kernel_hash(&closure.bitcode, "kernel").unwrap(), closure.hash);
}
