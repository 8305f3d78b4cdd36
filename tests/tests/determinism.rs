//! Translates kernels in two processes and compares what both get.
//!
//! Kernels of the corpus become code for each kind of target, on each level, for all arguments and
//! for values of them. *Invariant:* the second process has other addresses and other seeds of hash
//! tables, so that an order that depends on either makes a difference.

use sinter_core::{CodeObject, OptLevel, PtxTarget, Rows, Target};
use sinter_tests::differential::{
    execute::{self, Variant},
    llvm::{self, Style},
    systematic::{self, Entry},
};
use sinter_translate::native_target;
use std::{
    env,
    process::{Command, Stdio},
};

/// Set in the second process.
const SECOND: &str = "DETERMINISM_SECOND_PROCESS";
/// Begins a line of the second process with a digest.
const MARK: &str = "digest: ";
/// Every so many kernels of the corpus one is translated.
const SHARE: usize = 12;

fn targets() -> [Target; 5] {
    let gpu = PtxTarget::for_device(90, 85).expect("a GPU that LLVM knows");
    let spirv = ["opencl", "vulkan"].map(|name| Target::Spirv(name.parse().expect("a target")));
    let [opencl, vulkan] = spirv;
    let amd = Target::Amdgcn("gfx90a".parse().expect("a target"));
    [Target::Host(native_target()), Target::Ptx(gpu), amd, opencl, vulkan]
}

/// Levels of a target: quick code exists on the host alone.
fn levels(target: &Target) -> &'static [OptLevel] {
    match target {
        Target::Host(_) => &[OptLevel::O0, OptLevel::O1, OptLevel::O3],
        _ => &[OptLevel::O0, OptLevel::O3],
    }
}

fn variants(target: &Target) -> impl Iterator<Item = Variant> {
    let fixed = [(false, false), (true, true)];
    levels(target).iter().flat_map(move |level| {
        fixed.map(|(fixed, literal)| Variant { level: *level, fixed, rows: Rows::Auto, literals: [literal; 2] })
    })
}

/// The name of a translation and a digest of its result, which may be an error.
fn translated(Entry { name, dimensions, kernel }: &Entry, target: &Target, variant: Variant) -> (String, String) {
    let style = Style { generic_pointers: dimensions % 2 == 0, passes: None };
    let image = execute::image(&llvm::emit(kernel, style), style).expect("an image");
    let code: Result<CodeObject, String> =
        execute::translate_for(&image, variant, &systematic::shape(*dimensions, 32), target.clone());
    let digest = blake3::hash(format!("{code:?}").as_bytes()).to_hex().to_string();
    let outcome = if code.is_ok() { digest } else { format!("error {digest}") };
    (format!("{name} for {target}, {variant:?}"), outcome)
}

fn all() -> Vec<(String, String)> {
    let (corpus, targets) = (systematic::corpus(), targets());
    let of_entry = |entry| {
        let of_target = move |target| variants(target).map(move |variant| translated(entry, target, variant));
        targets.iter().flat_map(of_target)
    };
    corpus.iter().step_by(SHARE).flat_map(of_entry).collect()
}

#[test]
fn two_processes_translate_to_the_same_code() {
    if env::var_os(SECOND).is_some() {
        all().iter().for_each(|(_, digest)| println!("{MARK}{digest}"));
        return;
    }
    let mut command = Command::new(env::current_exe().expect("the path of this program"));
    command.args(["--exact", "two_processes_translate_to_the_same_code", "--nocapture"]).env(SECOND, "1");
    let second = command.stdout(Stdio::piped()).spawn().expect("a second process");
    let own = all();
    let output = second.wait_with_output().expect("its output");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let others: Vec<&str> = text.lines().filter_map(|line| line.split_once(MARK)).map(|(_, digest)| digest).collect();
    assert!(own.len() >= 100 && own.len() == others.len(), "{} and {} translations\n{text}", own.len(), others.len());
    let errors = own.iter().filter(|(_, digest)| digest.starts_with("error")).map(|(name, _)| name);
    assert_eq!(errors.collect::<Vec<_>>(), Vec::<&String>::new(), "not translated");
    let differ = own.iter().zip(others).filter(|((_, digest), other)| digest != other).map(|((name, _), _)| name);
    assert_eq!(differ.collect::<Vec<_>>(), Vec::<&String>::new(), "other code in the second process");
}
