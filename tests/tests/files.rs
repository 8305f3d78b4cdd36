//! Runs the file tests: one `.ll` file for each behaviour.
//!
//! A file opens with directives in comments:
//!
//! * `; kernel: NAME` (not needed where the file defines one function only), `; step: NAME` (the
//!   last step to run; by default all run and the assembly is compared), `; target: CPU[:FEATURES]`
//!   (default `x86-64-v3`) or `; target: ptx:sm_XX[:isa]` (PTX, of version 8.5 unless it says
//!   `isa`), `; target: amdgpu:ID` (an AMD GPU by its target ID) or
//!   `; target: spirv:INTERFACE[:WORD]...` (a device that takes SPIR-V, as `SpirvTarget` reads it),
//! * `; constant: NAME=TYPE:VALUE`, `; arg: N=TYPE:VALUE`, `; group-size: X,Y,Z`,
//!   `; sizes-fit-i32`, `; sub-group-size: N`, `; no-contraction`, `; fast`, `; flush-denormals`,
//!   `; approximate-division`, `; approximate-square-root`, `; line-tables`, `; no-optimise`,
//!   `; constants-by-value`, `; import: FILE`.
//!
//! Expectations are `; CHECK: text` lines, found in this order in the output, `; CHECK-NOT: text`
//! lines, found nowhere in it, and `; REMARK: text` lines, found in this order in the remarks about
//! the code; `; REMARK-NOT: text` as before. Files in `reject/` must fail with a message that
//! holds every `; ERROR: text`. Runs of blanks compare as one. PTX is assembled by `ptxas`, which
//! `SINTER_PTXAS` or `PATH` names, and SPIR-V validated by the `spirv-val` of `PATH`; without them
//! that part is reported as skipped.

use sinter_core::{
    AmdgcnTarget, CodeObject, FloatMode, HostTarget, Image, KernelConfig, Observer, OptLevel, PtxTarget, SpirvTarget,
    Target, TranslateRequest,
};
use sinter_tests::spirv::environment;
use sinter_translate::{Format, Product, Step, assemble, emit, inspect, kernels, native_target};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// One file, parsed.
struct Case {
    directives: Vec<(String, String)>,
    request: TranslateRequest,
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = fs::read_to_string(path).expect("readable test");
        let directives: Vec<_> = text.lines().filter_map(directive).collect();
        let value = |key: &str| directives.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
        let bitcode = assemble(text.as_bytes()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let kernel =
            value("kernel").unwrap_or_else(|| kernels(&bitcode).expect("kernels").into_symbols().swap_remove(0));
        let mut request = TranslateRequest {
            image: Image { hash: None, bytes: bitcode.into() },
            imports: Vec::new(),
            libraries: Vec::new(),
            target: target(value("target").as_deref().unwrap_or("x86-64-v3")),
            config: KernelConfig::generic(kernel),
        };
        directives.iter().for_each(|(key, value)| configure(&mut request, path, key, value));
        Case { directives, request }
    }

    fn all(&self, key: &str) -> impl Iterator<Item = &str> {
        self.directives.iter().filter(move |(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// The IR after the step, or the assembly.
    fn output(&self) -> Result<String, String> {
        let step = self.all("step").next().map(|name| name.parse::<Step>().expect("step"));
        let product = inspect(&self.request, &Observer::default(), Some(step.unwrap_or(Step::Optimise)));
        match (product.map_err(|error| error.to_string())?, step) {
            (Product::Ir(text), Some(_)) => Ok(text),
            (Product::Ir(text), None) => {
                let assembly = emit(&text, &self.request, Format::Assembly).map_err(|error| error.to_string())?;
                Ok(String::from_utf8_lossy(&assembly).into_owned())
            }
            (Product::Code(_), _) => Err("the translation did not stop".to_owned()),
        }
    }

    /// The code object.
    fn code(&self) -> Result<CodeObject, String> {
        match inspect(&self.request, &Observer::default(), None).map_err(|error| error.to_string())? {
            Product::Code(code) => Ok(*code),
            Product::Ir(_) => Err("the translation stopped".to_owned()),
        }
    }

    /// Finds the expectations under `key` in this order in a text, and those under `key`-NOT
    /// nowhere.
    fn judge(&self, key: &str, output: &str) -> Result<(), String> {
        let text = normalised(output);
        let mut rest = text.as_str();
        for check in self.all(key).map(normalised) {
            match rest.find(&check) {
                Some(position) => rest = &rest[position + check.len()..],
                None => return Err(format!("`{check}` not found (in order) in:\n{output}")),
            }
        }
        match self.all(&format!("{key}-NOT")).map(normalised).find(|check| text.contains(check)) {
            Some(check) => Err(format!("`{check}` found in:\n{output}")),
            None => Ok(()),
        }
    }
}

/// `; key: value` or `; key`, with one of the keys above.
fn directive(line: &str) -> Option<(String, String)> {
    const KEYS: [&str; 26] = [
        "kernel",
        "rows",
        "step",
        "target",
        "constant",
        "arg",
        "allocations",
        "dimensions",
        "group-size",
        "sub-group-size",
        "sizes-fit-i32",
        "no-contraction",
        "fast",
        "flush-denormals",
        "approximate-division",
        "approximate-square-root",
        "line-tables",
        "no-optimise",
        "constants-by-value",
        "import",
        "CHECK",
        "CHECK-NOT",
        "REMARK",
        "REMARK-NOT",
        "ERROR",
        "float",
    ];
    let text = line.strip_prefix("; ")?;
    let (key, value) = text.split_once(": ").unwrap_or((text, ""));
    KEYS.contains(&key.trim()).then(|| (key.trim().to_owned(), value.trim().to_owned()))
}

fn configure(request: &mut TranslateRequest, path: &Path, key: &str, value: &str) {
    let config = &mut request.config;
    match key {
        "constant" => config.specialization.constants.push(value.parse().expect("constant")),
        "arg" => {
            let (index, value) = value.split_once('=').expect("N=TYPE:VALUE");
            config.specialization.arguments.push((index.parse().expect("index"), value.parse().expect("value")));
        }
        "allocations" => {
            let indices = value.split(',').map(|index| index.parse().expect("index"));
            config.specialization.allocations = indices.zip(1..).collect();
        }
        "group-size" => {
            let size: Vec<u32> = value.split(',').map(|n| n.parse().expect("size")).collect();
            config.group_size = Some(size.try_into().expect("three sizes"));
        }
        "rows" => config.rows = value.parse().expect("rows"),
        "sub-group-size" => config.sub_group_size = Some(value.parse().expect("size")),
        "dimensions" => config.dimensions = value.parse().expect("dimensions"),
        "sizes-fit-i32" => config.sizes_fit_i32 = true,
        "no-contraction" => config.float_mode = FloatMode::NoContraction,
        "fast" => config.float_mode = FloatMode::Fast,
        "flush-denormals" => config.approximations.flush_denormals = true,
        "approximate-division" => config.approximations.division = true,
        "approximate-square-root" => config.approximations.square_root = true,
        "line-tables" => request.target = request.target.clone().with_line_tables(true),
        "no-optimise" => config.opt_level = OptLevel::O0,
        "constants-by-value" => config.constants_by_value = true,
        "import" => {
            let text = fs::read(path.with_file_name(value)).expect("import");
            request.imports.push(Image { hash: None, bytes: assemble(&text).expect("import").into() });
        }
        _ => {}
    }
}

fn target(text: &str) -> Target {
    let (cpu, features) = text.split_once(':').unwrap_or((text, ""));
    if cpu == "ptx" {
        let (sm, isa) = features.split_once(':').unwrap_or((features, "85"));
        let sm = sm.strip_prefix("sm_").and_then(|sm| sm.parse().ok()).expect("ptx:sm_XX[:isa]");
        return Target::Ptx(PtxTarget { sm, isa: isa.parse().expect("isa"), line_tables: false });
    }
    if cpu == "amdgpu" {
        return Target::Amdgcn(features.parse::<AmdgcnTarget>().expect("amdgpu:ID"));
    }
    if cpu == "spirv" {
        return Target::Spirv(features.parse::<SpirvTarget>().expect("spirv:INTERFACE[:WORD]..."));
    }
    Target::Host(HostTarget {
        triple: native_target().triple,
        cpu: cpu.to_owned(),
        features: features.to_owned(),
        line_tables: false,
    })
}

/// External checkers of the output, as far as they are installed.
struct Checkers {
    /// Path of NVIDIA's assembler.
    ptxas: Option<PathBuf>,
    /// Path of SPIRV-Tools' validator.
    spirv_val: Option<PathBuf>,
}

impl Checkers {
    fn find() -> Self {
        let folders = env::var_os("PATH").unwrap_or_default();
        let find = |name| env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file());
        let named = env::var_os("SINTER_PTXAS").map(PathBuf::from);
        let found = Checkers { ptxas: named.or_else(|| find("ptxas")), spirv_val: find("spirv-val") };
        if found.ptxas.is_none() {
            println!("skipped: assembling PTX, because neither SINTER_PTXAS nor PATH names a ptxas");
        }
        if found.spirv_val.is_none() {
            println!("skipped: validating SPIR-V, because PATH names no spirv-val");
        }
        found
    }
}

/// Assembles PTX; returns the errors of NVIDIA's assembler.
fn assemble_ptx(assembler: &Path, text: &str, sm: u32) -> Result<(), String> {
    let folder = tempfile::tempdir().expect("folder");
    let (input, output) = (folder.path().join("k.ptx"), folder.path().join("k.cubin"));
    fs::write(&input, text).expect("write");
    let result = Command::new(assembler).arg(format!("-arch=sm_{sm}")).arg(&input).arg("-o").arg(&output).output();
    let result = result.map_err(|error| format!("{}: {error}", assembler.display()))?;
    if result.status.success() { Ok(()) } else { Err(format!("{}{text}", String::from_utf8_lossy(&result.stderr))) }
}

/// Validates the module that a request translates to; returns the errors of the validator.
fn validate_spirv(validator: &Path, case: &Case, target: &SpirvTarget) -> Result<(), String> {
    let code = case.code()?;
    let folder = tempfile::tempdir().expect("folder");
    let module = folder.path().join("k.spv");
    fs::write(&module, &code.bytes).expect("write");
    let environment = environment(target);
    let result = Command::new(validator).args(["--target-env", &environment]).arg(&module).output();
    let result = result.map_err(|error| format!("{}: {error}", validator.display()))?;
    let output = [result.stdout, result.stderr].concat();
    if result.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output).into_owned()) }
}

/// Replaces runs of blanks by one.
fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks the output of a file that must be accepted.
fn judge_accepted(case: &Case, checkers: &Checkers) -> Result<(), String> {
    let output = case.output()?;
    case.judge("CHECK", &output)?;
    if case.all("REMARK").chain(case.all("REMARK-NOT")).next().is_some() {
        let remarks = case.code()?.entry.remarks;
        let lines: Vec<_> = remarks.iter().map(|remark| format!("{}: {remark}", remark.kind())).collect();
        case.judge("REMARK", &lines.join("\n"))?;
    }
    if case.all("step").next().is_some() {
        return Ok(());
    }
    match (&case.request.target, checkers) {
        (Target::Ptx(target), Checkers { ptxas: Some(ptxas), .. }) => assemble_ptx(ptxas, &output, target.sm),
        (Target::Spirv(target), Checkers { spirv_val: Some(validator), .. }) => {
            validate_spirv(validator, case, target).map_err(|reason| reason + "\n" + &output)
        }
        // The assembly has passed; the code object must link, too.
        (Target::Amdgcn(_), _) => case.code().map(drop),
        _ => Ok(()),
    }
}

/// Checks the message of a file that must be rejected.
fn judge_rejected(case: &Case) -> Result<(), String> {
    let Err(message) = inspect(&case.request, &Observer::default(), None).map_err(|error| error.to_string()) else {
        return Err("accepted".to_owned());
    };
    match case.all("ERROR").map(normalised).find(|expected| !normalised(&message).contains(expected)) {
        Some(expected) => Err(format!("`{expected}` not found in: {message}")),
        None if case.all("ERROR").next().is_none() => Err("no `; ERROR:` line".to_owned()),
        None => Ok(()),
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() && !path.ends_with("imports") {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "ll") {
            files.push(path);
        }
    }
}

#[test]
fn file_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("files");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let checkers = Checkers::find();
    let judged = files.iter().filter_map(|path| failure(&root, path, &checkers));
    let failures: Vec<String> = judged.collect();
    assert!(failures.is_empty(), "{} of {} files failed:\n{}", failures.len(), files.len(), failures.join("\n"));
    assert!(files.len() >= 25, "only {} files found", files.len());
}

fn failure(root: &Path, path: &Path, checkers: &Checkers) -> Option<String> {
    let case = Case::read(path);
    let rejected = path.components().any(|component| component.as_os_str() == "reject");
    let result = if rejected { judge_rejected(&case) } else { judge_accepted(&case, checkers) };
    result.err().map(|reason| format!("{}: {reason}", path.strip_prefix(root).unwrap_or(path).display()))
}
