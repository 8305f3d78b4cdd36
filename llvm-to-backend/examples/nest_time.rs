//! Measures how long awkward kernels take to translate.
//!
//! In: nothing, or a part of the names of kernels, and a folder for them and their code. Out: for
//! each kernel of `tests/support/nests` and each target the CPU time of its translation in
//! milliseconds and the size of its code in KiB; for PTX also the time of `ptxas`, where `--ptxas`
//! names it. The last line counts the translations that took longer than a second. *Invariant:*
//! times are CPU times, so that other processes do not change them.
//!
//! `cargo run --release -p sinter-translate --example nest_time [-- OPTIONS]`, with the options
//! `[--only PART] [--quick] [--seed N] [--target FAMILY] [--write FOLDER] [--ptxas FILE]`.
//! `--quick` asks for quick code, which a first launch on the host waits for.
#![forbid(unsafe_code)]

#[path = "../tests/support/nests/mod.rs"]
mod nests;

use nests::Nest;
use sinter_core::{Image, KernelConfig, Observer, OptLevel, PtxTarget, Target, TranslateRequest, Translator};
use sinter_translate::{LinkedTranslator, assemble, native_target};
use std::{env, error::Error, fs, io::Write as _, process::Command, time::Duration};

/// Longest acceptable translation.
const MOST: Duration = Duration::from_secs(1);
/// Clock ticks per second, the unit in which Linux reports the time of children (`getconf CLK_TCK`,
/// the same everywhere).
const TICKS: u64 = 100;

type Failed = Box<dyn Error>;

/// CPU time of this thread (`/proc/thread-self/schedstat`).
fn spent() -> Result<Duration, Failed> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    Ok(Duration::from_nanos(text.split(' ').next().unwrap_or_default().parse()?))
}

/// CPU time of all children that have ended, in user mode and in the kernel.
fn spent_by_children() -> Result<Duration, Failed> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(13).take(2);
    let ticks = fields.map(str::parse::<u64>).sum::<Result<u64, _>>()?;
    Ok(Duration::from_millis(ticks * 1000 / TICKS))
}

/// CPU time that `ptxas` takes for a module.
fn assembled(ptxas: &str, text: &[u8], sm: u32) -> Result<Duration, Failed> {
    let file = tempfile::NamedTempFile::new()?;
    file.as_file().write_all(text)?;
    let before = spent_by_children()?;
    let arch = format!("-arch=sm_{sm}");
    let output = Command::new(ptxas).args([&arch, "-o", "/dev/null"]).arg(file.path()).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(spent_by_children()? - before)
}

fn targets() -> Result<Vec<Target>, Failed> {
    let gpu = PtxTarget::for_device(90, 85).ok_or("no PTX for compute capability 9.0")?;
    let (amd, spirv) = (Target::Amdgcn("gfx90a".parse()?), Target::Spirv("opencl".parse()?));
    Ok(vec![Target::Ptx(gpu), amd, spirv, Target::Host(native_target())])
}

fn request(nest: &Nest, target: &Target, level: OptLevel) -> Result<TranslateRequest, Failed> {
    let mut config = KernelConfig::generic("kernel");
    config.opt_level = level;
    (config.dimensions, config.group_size) = (1, Some([64, 1, 1]));
    let bytes = assemble(nest.text.as_bytes())?.into();
    let image = Image { hash: None, bytes };
    Ok(TranslateRequest { image, imports: vec![], libraries: vec![], target: target.clone(), config })
}

/// Prints one line. True if the translation, the assembler included, took too long.
fn measure(nest: &Nest, target: &Target, level: OptLevel) -> Result<bool, Failed> {
    let request = request(nest, target, level)?;
    let before = spent()?;
    let code = LinkedTranslator.translate(&request, &Observer::default());
    let mut whole = spent()? - before;
    print!("{:26}{:6} {:5} {:8.0}", nest.name, target.family(), nest.instructions, whole.as_secs_f64() * 1e3);
    let code = match code {
        Ok(code) => code,
        Err(error) => {
            println!("  {error}");
            return Ok(whole > MOST);
        }
    };
    print!(" {:7}", code.bytes.len() / 1024);
    if let Some(folder) = option("--write") {
        fs::write(format!("{folder}/{}.ll", nest.name), &nest.text)?;
        fs::write(format!("{folder}/{}.{}", nest.name, target.family()), &code.bytes)?;
    }
    if let (Target::Ptx(gpu), Some(ptxas)) = (target, option("--ptxas")) {
        let time = assembled(&ptxas, &code.bytes, gpu.sm)?;
        print!(" {:8.0}", time.as_secs_f64() * 1e3);
        whole += time;
    }
    println!("{}", if whole > MOST { "  too long" } else { "" });
    Ok(whole > MOST)
}

/// The value of the option `name`.
fn option(name: &str) -> Option<String> {
    env::args().skip_while(|argument| argument != name).nth(1)
}

fn main() -> Result<(), Failed> {
    let (only, family) = (option("--only").unwrap_or_default(), option("--target").unwrap_or_default());
    let level = if env::args().any(|argument| argument == "--quick") { OptLevel::O1 } else { OptLevel::default() };
    let seed = option("--seed").map_or(Ok(1), |seed| seed.parse())?;
    println!("{:26}{:6} {:>5} {:>8} {:>7} {:>8}", "kernel", "target", "IR", "ms", "KiB", "ptxas ms");
    let (mut slow, mut all) = (0, 0);
    for nest in nests::nests(seed).iter().filter(|nest| nest.name.contains(&only)) {
        for target in targets()?.iter().filter(|target| target.family().contains(&family)) {
            slow += usize::from(measure(nest, target, level)?);
            all += 1;
        }
    }
    println!("{slow} of {all} took longer than {MOST:?}");
    Ok(())
}
