//! PTX for every LLVM math intrinsic, and the layout of parameters.
//!
//! Each intrinsic on each type gives PTX that NVIDIA's assembler accepts, or an error with advice;
//! never an internal error. The assembler is `SINTER_PTXAS` or the `ptxas` in `PATH`; without one
//! that part is reported as skipped.

#[path = "support/assembler.rs"]
mod assembler;
#[path = "support/intrinsics.rs"]
mod intrinsics;

use assembler::{assembled, assembler};
use intrinsics::{every_intrinsic, floating};
use sinter_core::{
    CodeObject, Image, KernelConfig, Observer, OptLevel, PtxTarget, Target, TranslateCause, TranslateError,
    TranslateRequest, Translator,
};
use sinter_translate::{LinkedTranslator, assemble};
use std::path::PathBuf;

fn request(text: &str, sm: u32, isa: u32, opt_level: OptLevel) -> TranslateRequest {
    TranslateRequest {
        image: Image { hash: None, bytes: assemble(text.as_bytes()).expect("IR").into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Ptx(PtxTarget { sm, isa, line_tables: false }),
        config: KernelConfig { opt_level, ..KernelConfig::generic("k") },
    }
}

fn translate(request: &TranslateRequest) -> Result<CodeObject, TranslateError> {
    LinkedTranslator.translate(request, &Observer::default())
}

/// The defect in the translation of a kernel, if there is one.
fn fault(text: &str, sm: u32, isa: u32, opt_level: OptLevel, assembler: Option<&PathBuf>) -> Option<String> {
    match translate(&request(text, sm, isa, opt_level)) {
        Ok(code) => assembled(&code, sm, assembler?).err().map(|message| format!("{message}\n{text}")),
        Err(error) if matches!(error.cause, TranslateCause::Unsupported { .. }) => None,
        Err(error) => Some(format!("{error}\n{text}")),
    }
}

#[test]
fn every_intrinsic_is_translated_or_refused() {
    let assembler = assembler();
    if assembler.is_none() {
        println!("skipped: assembling PTX, because neither SINTER_PTXAS nor PATH names a ptxas");
    }
    let texts = every_intrinsic();
    let on = |sm, isa, level, assembler: Option<&PathBuf>| {
        texts.iter().filter_map(|text| fault(text, sm, isa, level, assembler)).collect::<Vec<_>>()
    };
    let mut faults = on(90, 85, OptLevel::O3, assembler.as_ref());
    faults.extend(on(70, 60, OptLevel::O3, None));
    faults.extend(on(80, 70, OptLevel::O0, None));
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), texts.len(), faults.join("\n"));
}

/// Offset of each parameter and size of all, as given by the alignments in PTX.
fn layout(ptx: &str) -> (Vec<u32>, u32) {
    let (mut offsets, mut end) = (Vec::new(), 0u32);
    for line in ptx.lines().map(str::trim).filter(|line| line.starts_with(".param") && line.contains("_param_")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let scalar =
            |ty: &str| ty.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().expect("a width") / 8;
        let (size, alignment) = match words[1] {
            ".align" => {
                let count = line.split(['[', ']']).nth(1).expect("a size");
                (count.parse().expect("a size"), words[2].parse().expect("an alignment"))
            }
            ty => (scalar(ty), scalar(ty)),
        };
        offsets.push(end.next_multiple_of(alignment));
        end = end.next_multiple_of(alignment) + size;
    }
    (offsets, end)
}

#[test]
fn parameters_lie_where_the_entry_says() {
    const TYPES: [&str; 16] = [
        "i8",
        "ptr",
        "i1",
        "i16",
        "i128",
        "half",
        "bfloat",
        "float",
        "i8",
        "double",
        "<3 x float>",
        "i32",
        "<4 x i8>",
        "i24",
        "[3 x i16]",
        "<2 x double>",
    ];
    for rotation in 0..TYPES.len() {
        let types: Vec<&str> = TYPES.iter().cycle().skip(rotation).take(TYPES.len()).copied().collect();
        let list: Vec<String> = types.iter().enumerate().map(|(i, ty)| format!("{ty} %a{i}")).collect();
        let uses: String = types
            .iter()
            .enumerate()
            .map(|(i, ty)| format!("  store volatile {ty} %a{i}, ptr %o, align 16\n"))
            .collect();
        let block = "ptr byval([20 x i8]) align 4 %b";
        let text = format!(
            "define void @k(i8 %first, {block}, {}, ptr %o) {{\n  %v = load volatile i32, ptr %b\n  store volatile i32 %v, ptr %o\n\
             {uses}  ret void\n}}\n",
            list.join(", ")
        );
        for opt_level in [OptLevel::O0, OptLevel::O3] {
            let code = translate(&request(&text, 90, 85, opt_level)).expect("translation");
            let (offsets, size) = layout(&String::from_utf8_lossy(&code.bytes));
            let expected: Vec<u32> = code.entry.arguments.iter().map(|argument| argument.offset).collect();
            assert_eq!(offsets, expected, "{text}");
            assert_eq!(size.next_multiple_of(code.entry.argument_align), code.entry.argument_size, "{text}");
        }
    }
}

#[test]
fn the_same_request_gives_the_same_text() {
    let text = floating("sin", "f32", "float");
    let [first, second] = [(); 2].map(|()| translate(&request(&text, 90, 85, OptLevel::O3)).expect("translation"));
    assert_eq!(first.bytes, second.bytes);
}
