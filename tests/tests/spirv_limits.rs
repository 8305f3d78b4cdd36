//! Kernels that exceed limits of SPIR-V.
//!
//! Instructions have 16-bit sizes, and every consumer has limits for members, cases and parameters.
//! *Invariant:* a kernel beyond a limit becomes a module that `spirv-val` accepts, or is rejected
//! with the limit that it exceeds.

use sinter_core::{
    Image, KernelConfig, Observer, OptLevel, SpirvTarget, Target, TranslateRequest, Translator,
    spirv::arguments::passed,
};
use sinter_tests::spirv::Validator;
use sinter_translate::{LinkedTranslator, assemble};

/// A request for the kernel `k` of textual IR.
fn request(text: &str, opt_level: OptLevel) -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: None, bytes: assemble(text.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Spirv("opencl".parse().expect("a device")),
        config: KernelConfig { opt_level, ..KernelConfig::generic("k") },
    }
}

fn refusal(text: &str) -> String {
    let result = LinkedTranslator.translate(&request(text, OptLevel::O0), &Observer::default());
    result.err().map(|error| error.to_string()).expect("a refusal")
}

fn judge(text: &str, levels: &[OptLevel]) {
    let target = "opencl".parse::<SpirvTarget>().expect("a device");
    for level in levels {
        let code = LinkedTranslator.translate(&request(text, *level), &Observer::default());
        let code = code.unwrap_or_else(|error| panic!("at {level:?}: {error}"));
        Validator::find().check(&code.bytes, &target).unwrap_or_else(|fault| panic!("at {level:?}: {fault}"));
    }
}

const BOTH: [OptLevel; 2] = [OptLevel::O3, OptLevel::O0];

fn listed<T: ToString>(items: impl Iterator<Item = T>, between: &str) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(between)
}

#[test]
fn tables_of_many_elements() {
    // An array takes three words besides its elements: one part, one full part, two, three.
    for count in [65_531, 65_532, 65_533, 140_000] {
        let elements = listed((0..count).map(|i| format!("i8 {}", i * 7 % 127)), ", ");
        judge(
            &format!(
                "@t = internal constant [{count} x i8] [{elements}]
                 define void @k(ptr %p, i64 %i) {{
                   %a = getelementptr [{count} x i8], ptr @t, i64 0, i64 %i
                   %v = load i8, ptr %a
                   store i8 %v, ptr %p
                   ret void
                 }}"
            ),
            &BOTH,
        );
    }
}

#[test]
fn tables_inside_of_others() {
    let elements = listed((0..70_000).map(|i| format!("i16 {}", i * 7 % 32_000)), ", ");
    judge(
        &format!(
            "@t = internal constant {{ i8, [2 x [70000 x i16]], i64 }} \
             {{ i8 1, [2 x [70000 x i16]] [[70000 x i16] zeroinitializer, [70000 x i16] [{elements}]], i64 3 }}
             define void @k(ptr %p, i64 %i, i64 %j) {{
               %a = getelementptr {{ i8, [2 x [70000 x i16]], i64 }}, ptr @t, i64 0, i32 1, i64 %i, i64 %j
               %v = load i16, ptr %a
               store i16 %v, ptr %p
               ret void
             }}"
        ),
        &BOTH,
    );
}

#[test]
fn tables_of_addresses() {
    let elements = listed((0..66_000).map(|i| format!("ptr @{}", if i % 3 == 0 { "a" } else { "b" })), ", ");
    judge(
        &format!(
            "@a = internal constant [2 x i32] [i32 1, i32 2]
             @b = internal constant [2 x i32] [i32 3, i32 4]
             @t = internal constant [66000 x ptr] [{elements}]
             define void @k(ptr %p, i64 %i, i64 %j) {{
               %a = getelementptr ptr, ptr @t, i64 %i
               %q = load ptr, ptr %a
               %b = getelementptr i32, ptr %q, i64 %j
               %v = load i32, ptr %b
               store i32 %v, ptr %p
               ret void
             }}"
        ),
        &BOTH,
    );
}

#[test]
fn structures_of_many_members() {
    let members = listed((0..70_000).map(|i| if i % 2 == 0 { "i16" } else { "i32" }), ", ");
    judge(
        &format!(
            "%S = type {{ {members} }}
             @s = internal global %S zeroinitializer
             define void @k(ptr %p, i64 %i) {{
               %a = getelementptr %S, ptr @s, i64 0, i32 69999
               %b = getelementptr %S, ptr @s, i64 %i, i32 5
               %v = load volatile i32, ptr %a
               store volatile i32 %v, ptr %b
               store i32 %v, ptr %p
               ret void
             }}"
        ),
        &BOTH,
    );
}

#[test]
fn switches_of_many_cases() {
    for (count, levels) in [(16_383, &BOTH[..]), (16_384, &BOTH[1..])] {
        let cases = listed((0..count).map(|i: u64| format!("i32 {}, label %b{}", i * 3, i % 7)), "\n");
        let blocks = listed((0..7).map(|i| format!("b{i}:\n store volatile i32 {i}, ptr %p\n br label %end\n")), "");
        let values = listed((0..7).map(|i| format!("[{i}, %b{i}]")), ", ");
        judge(
            &format!(
                "define void @k(ptr %p, i32 %i) {{
                 entry:
                   switch i32 %i, label %end [{cases}]
                 {blocks}
                 end:
                   %r = phi i32 [9, %entry], {values}
                   store i32 %r, ptr %p
                   ret void
                 }}"
            ),
            levels,
        );
    }
}

#[test]
fn phis_of_many_values() {
    let count = 33_000;
    let cases = listed((0..count).map(|i| format!("i32 {i}, label %b{i}")), "\n");
    let blocks = listed((0..count).map(|i| format!("b{i}:\n store volatile i32 {i}, ptr %p\n br label %end\n")), "");
    let values = listed((0..count).map(|i| format!("[{}, %b{i}]", i * 7 % 1000)), ", ");
    // LLVM's optimiser takes minutes for it.
    judge(
        &format!(
            "define void @k(ptr %p, i32 %i) {{
             entry:
               switch i32 %i, label %end [{cases}]
             {blocks}
             end:
               %v = phi i32 [9, %entry], {values}
               store i32 %v, ptr %p
               ret void
             }}"
        ),
        &[OptLevel::O0],
    );
}

#[test]
fn long_names() {
    let name = "n".repeat(300_000);
    judge(
        &format!(
            "@{name} = internal global i32 3
             define void @k(ptr %p) {{
               %v = load volatile i32, ptr @{name}
               store i32 %v, ptr %p
               ret void
             }}"
        ),
        &BOTH,
    );
    let text = format!("define void @{name}(ptr %p) {{\n store i32 1, ptr %p\n ret void\n}}");
    let mut request = request(&text, OptLevel::O3);
    request.config.entry = name;
    let code = LinkedTranslator.translate(&request, &Observer::default()).expect("a module");
    assert_eq!(code.entry.symbol, "n".repeat(65_535), "the driver finds the kernel by the name that the module has");
    let words: Vec<u8> = [code.entry.symbol.as_bytes(), &[0]].concat();
    assert!(code.bytes.windows(words.len()).any(|bytes| bytes == words));
}

/// A kernel that reads this number of values.
fn kernel_of(numbers: usize) -> String {
    let parameters = listed((0..numbers).map(|i| format!("i32 %a{i}")), ", ");
    let stores = listed((0..numbers).map(|i| format!("store volatile i32 %a{i}, ptr %p\n")), "");
    format!("define void @k(ptr %p, {parameters}) {{\n{stores} ret void\n}}")
}

#[test]
fn kernels_of_many_parameters() {
    for numbers in [253, 254, 255, 1000] {
        judge(&kernel_of(numbers), &BOTH);
    }
    let code = LinkedTranslator.translate(&request(&kernel_of(300), OptLevel::O3), &Observer::default());
    let entry = code.expect("a module").entry;
    assert_eq!((entry.arguments.len(), passed(&entry).len()), (301, 1), "the buffer is passed as one");
}

#[test]
fn functions_of_many_parameters() {
    let parameters = listed((0..256).map(|i| format!("i32 %a{i}")), ", ");
    let arguments = listed((0..256).map(|_| "i32 %i"), ", ");
    let error = refusal(&format!(
        "define internal i32 @f({parameters}) noinline {{\n %r = add i32 %a0, %a255\n ret i32 %r\n}}
         define void @k(ptr %p, i32 %i) {{\n %r = call i32 @f({arguments})\n store i32 %r, ptr %p\n ret void\n}}"
    ));
    assert!(error.contains("a function with 256 parameters") && error.contains("room for 255"), "{error}");
}

#[test]
#[ignore = "it takes a minute: the table has millions of numbers"]
fn values_without_number() {
    let count = 4_200_000;
    let elements = listed((0..count).map(|i| format!("i32 {i}")), ", ");
    let error = refusal(&format!(
        "@t = internal constant [{count} x i32] [{elements}]
         define void @k(ptr %p, i64 %i) {{
           %a = getelementptr i32, ptr @t, i64 %i
           %v = load i32, ptr %a
           store i32 %v, ptr %p
           ret void
         }}"
    ));
    assert!(error.contains("different values") && error.contains("room for 4194303"), "{error}");
}
