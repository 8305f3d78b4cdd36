//! How long each step of a translation takes.
//!
//! In: files with requests (`replay.request` in the folders that `SINTER_DUMP_DIR` names), or
//! nothing for a few small kernels. Out: for the host, for PTX, for an AMD GPU and for SPIR-V, for
//! the first translation in the process and for those that follow, the time of each step in
//! microseconds: the least, and for the sum the median too. Only the first kernel of the first
//! target runs in an LLVM that has not done anything yet: `--only FAMILY` or
//! `--only FAMILY/KERNEL` choose it.
//!
//! `cargo run --release -p sinter-translate --example translation_time -- FILE...`
#![forbid(unsafe_code)]

use sinter_core::{Image, KernelConfig, Observer, PtxTarget, Target, TranslateRequest, Translator};
use sinter_translate::{LinkedTranslator, Step, assemble, native_target};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    error::Error,
    fmt, fs,
    time::{Duration, Instant},
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

/// Translations of each kernel.
const REPETITIONS: usize = 40;

const TRIAD: &str = "
declare i64 @__acpp_sscp_get_group_id_x()
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_local_size_x()
define void @kernel(ptr %a, ptr %b, i64 %n) {
  %group = call i64 @__acpp_sscp_get_group_id_x()
  %size = call i64 @__acpp_sscp_get_local_size_x()
  %local = call i64 @__acpp_sscp_get_local_id_x()
  %base = mul i64 %group, %size
  %i = add i64 %base, %local
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %work, label %end
work:
  %from = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %from
  %y = OPERATION
  %to = getelementptr float, ptr %b, i64 %i
  store float %y, ptr %to
  br label %end
end:
  ret void
}
";
/// Computations of the kernels, with their declarations.
const OPERATIONS: [(&str, &str, &str); 4] = [
    ("multiply", "fmul float %x, 3.0", ""),
    ("sine", "call float @sinf(float %x)", "declare float @sinf(float)"),
    (
        "power",
        "call float @__acpp_sscp_pow_f32(float %x, float 2.5)",
        "declare float @__acpp_sscp_pow_f32(float, float)",
    ),
    (
        "reduce",
        "call float @__acpp_sscp_work_group_reduce_f32(i32 0, float %x)",
        "declare float @__acpp_sscp_work_group_reduce_f32(i32, float) convergent",
    ),
];

thread_local! {
    static TIMES: RefCell<Vec<(String, Duration)>> = const { RefCell::new(Vec::new()) };
    static ENTERED: RefCell<Vec<Instant>> = const { RefCell::new(Vec::new()) };
    static NAMES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Takes the time of the spans that the translator makes for its steps.
struct Stopwatch;

struct StepName(Option<String>);

impl Visit for StepName {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "step" {
            self.0 = Some(value.to_owned());
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn fmt::Debug) {}
}

impl Subscriber for Stopwatch {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span()
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut name = StepName(None);
        span.record(&mut name);
        NAMES.with_borrow_mut(|names| {
            names.push(name.0.unwrap_or_default());
            Id::from_u64(names.len() as u64)
        })
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}

    fn enter(&self, _: &Id) {
        ENTERED.with_borrow_mut(|entered| entered.push(Instant::now()));
    }

    fn exit(&self, span: &Id) {
        let Some(start) = ENTERED.with_borrow_mut(Vec::pop) else { return };
        let name = NAMES.with_borrow(|names| names.get(span.into_u64() as usize - 1).cloned());
        TIMES.with_borrow_mut(|times| times.push((name.unwrap_or_default(), start.elapsed())));
    }
}

/// The times of the steps of one translation, and of all of it.
fn measure(request: &TranslateRequest) -> Result<(BTreeMap<String, Duration>, Duration), Box<dyn Error>> {
    TIMES.take();
    NAMES.take();
    let start = Instant::now();
    LinkedTranslator.translate(request, &Observer::default())?;
    let whole = start.elapsed();
    Ok((TIMES.take().into_iter().collect(), whole))
}

/// The header of the table: the steps.
fn header() -> String {
    let names = Step::ALL.iter().map(|step| format!("{:>7}", step.name().chars().take(6).collect::<String>()));
    format!("{:28}{}{:>7}{:>8}{:>8}", "", names.collect::<String>(), "rest", "least", "median")
}

fn line(title: &str, runs: &[(BTreeMap<String, Duration>, Duration)]) -> String {
    let least = |step: &Step| runs.iter().filter_map(|(steps, _)| steps.get(step.name())).min().copied();
    let steps: Vec<u128> = Step::ALL.iter().map(|step| least(step).unwrap_or_default().as_micros()).collect();
    let mut whole: Vec<u128> = runs.iter().map(|(_, whole)| whole.as_micros()).collect();
    whole.sort_unstable();
    let (least, median) = (whole.first().copied().unwrap_or(0), whole.get(whole.len() / 2).copied().unwrap_or(0));
    let cells: String = steps.iter().map(|time| format!("{time:7}")).collect();
    format!("{title:28}{cells}{:7}{least:8}{median:8}", least.saturating_sub(steps.iter().sum()))
}

fn samples() -> Result<Vec<(String, TranslateRequest)>, Box<dyn Error>> {
    let sample = |(name, operation, declaration): (&str, &str, &str)| {
        let text = TRIAD.replace("OPERATION", operation) + declaration;
        Ok((name.to_owned(), request(assemble(text.as_bytes())?)))
    };
    OPERATIONS.into_iter().map(sample).collect()
}

fn request(bitcode: Vec<u8>) -> TranslateRequest {
    let mut config = KernelConfig::generic("kernel");
    (config.dimensions, config.group_size) = (1, Some([256, 1, 1]));
    TranslateRequest {
        image: Image { hash: None, bytes: bitcode.into() },
        imports: vec![],
        libraries: vec![],
        target: Target::Host(native_target()),
        config,
    }
}

fn targets() -> Result<[Target; 4], Box<dyn Error>> {
    let gpu = PtxTarget::for_device(90, 85).ok_or("no PTX for compute capability 9.0")?;
    let (amd, spirv) = (Target::Amdgcn("gfx90a".parse()?), Target::Spirv("opencl".parse()?));
    Ok([Target::Ptx(gpu), amd, spirv, Target::Host(native_target())])
}

/// The requests in files, named by a part of their kernels' names.
fn recorded(files: &[String]) -> Result<Vec<(String, TranslateRequest)>, Box<dyn Error>> {
    let read = |file: &String| {
        let request = TranslateRequest::from_bytes(&fs::read(file)?)?;
        let name = last_part(&request.config.entry);
        Ok((name, request))
    };
    files.iter().map(read).collect()
}

/// The end of a name, which tells kernels apart best.
fn last_part(name: &str) -> String {
    let start = name.len().saturating_sub(20);
    name.get(start..).unwrap_or(name).to_owned()
}

/// The value of `--only`; without it everything is measured.
fn take_choice(arguments: &mut Vec<String>) -> String {
    let Some(at) = arguments.iter().position(|argument| argument == "--only") else { return String::new() };
    arguments.drain(at..(at + 2).min(arguments.len())).nth(1).unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let only = take_choice(&mut files);
    let kernels = if files.is_empty() { samples()? } else { recorded(&files)? };
    tracing::subscriber::set_global_default(Stopwatch)?;
    println!("microseconds\n{}", header());
    for target in targets()? {
        let chosen = |name: &str| format!("{}/{name}", target.family()).starts_with(&only);
        for (name, request) in kernels.iter().filter(|(name, _)| chosen(name)) {
            let request = TranslateRequest { target: target.clone(), ..request.clone() };
            let runs = (0..REPETITIONS).map(|_| measure(&request)).collect::<Result<Vec<_>, _>>()?;
            let title = |when| format!("{:6} {name:14} {when}", target.family());
            println!("{}\n{}", line(&title("first"), &runs[..1]), line(&title("later"), &runs[1..]));
        }
    }
    Ok(())
}
