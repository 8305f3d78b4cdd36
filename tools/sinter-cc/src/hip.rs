//! Sources in HIP and CUDA.
//!
//! In: a command line for clang, hipcc or nvcc. Out: one for clang, which compiles the host's half
//! of HIP; stage 1 takes the kernels from there. *Invariant:* one binary serves all devices, so
//! flags that choose some are taken and have no effect, and a command line without such sources is
//! not changed.

use crate::{
    arguments::{END_OF_FLAGS, takes_value},
    clang::Installation,
    response,
};
use std::ffi::OsString;

/// Names by which other compilers are called, and under which their flags are ours.
pub(crate) const HIPCC: &str = "hipcc";
pub(crate) const NVCC: &str = "nvcc";
/// The line of `nvcc --version` where `FindCUDA` and configure scripts look for the version, that
/// of `CUDART_VERSION`.
pub(crate) const RELEASE: &str = "Cuda compilation tools, release 12.0, V12.0.0";

/// A language with kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Hip,
    Cuda,
}

/// Flags of hipcc and nvcc that have no effect, as they are or with a value behind `=`.
const IGNORED: [&str; 43] = [
    "--amdgpu-target",
    "--cuda",
    "--cuda-gpu-arch",
    "--cuda-path",
    "--display-error-number",
    "--dlink-time-opt",
    "--expt-extended-lambda",
    "--expt-relaxed-constexpr",
    "--extended-lambda",
    "--fmad",
    "--forward-unknown-to-host-compiler",
    "--ftz",
    "--generate-line-info",
    "--hip-link",
    "--keep",
    "--no-compress",
    "--prec-div",
    "--prec-sqrt",
    "--relocatable-device-code",
    "--resource-usage",
    "--restrict",
    "--source-in-ptx",
    "-Wno-deprecated-gpu-targets",
    "-display-error-number",
    "-dlto",
    "-expt-extended-lambda",
    "-expt-relaxed-constexpr",
    "-extended-lambda",
    "-fmad",
    "-fno-gpu-rdc",
    "-forward-unknown-to-host-compiler",
    "-ftz",
    "-keep",
    "-lineinfo",
    "-m64",
    "-no-compress",
    "-parallel-jobs",
    "-prec-div",
    "-prec-sqrt",
    "-rdc",
    "-res-usage",
    "-restrict",
    "-src-in-ptx",
];
/// Those whose value is the next argument unless it follows `=`.
const WITH_VALUE: [&str; 27] = [
    "--compiler-bindir",
    "--cudart",
    "--diag-suppress",
    "--generate-code",
    "--gpu-architecture",
    "--gpu-code",
    "--keep-dir",
    "--maxrregcount",
    "--nvlink-options",
    "--offload-arch",
    "--ptxas-options",
    "--threads",
    "-Xarch_device",
    "-Xcudafe",
    "-Xfatbin",
    "-Xnvlink",
    "-Xptxas",
    "-arch",
    "-ccbin",
    "-code",
    "-cudart",
    "-diag-suppress",
    "-gencode",
    "-keep-dir",
    "-maxrregcount",
    "-t",
    "-threads",
];
/// Flags with what clang gets instead.
const REPLACED: [(&str, &[&str]); 20] = [
    ("--dryrun", &["-###"]),
    ("--device-c", RDC_OBJECT),
    ("--fmad=false", &["-ffp-contract=off"]),
    ("--relocatable-device-code=true", RDC),
    ("--use_fast_math", &["-ffast-math"]),
    ("-G", &["-g"]),
    ("-O=0", &["-O0"]),
    ("-O=1", &["-O1"]),
    ("-O=2", &["-O2"]),
    ("-O=3", &["-O3"]),
    ("-V", &["--version"]),
    ("-Werror=all-warnings", &["-Werror"]),
    ("-Xarch_host", &[]),
    ("-dc", RDC_OBJECT),
    ("-fgpu-rdc", RDC),
    ("-fmad=false", &["-ffp-contract=off"]),
    ("-rdc=true", RDC),
    ("-use_fast_math", &["-ffast-math"]),
    ("-Wno-sinter-hip-device-macro", NO_MACRO_WARNING),
    ("-Wno-sinter-hip-overload", NO_OVERLOAD_WARNING),
];
/// Flags of nvcc that may have `=` or not before these values; clang has them with `=` or joined.
const SEPARATE: [(&str, &[&str]); 9] = [
    ("--fmad", &["false", "true"]),
    ("--relocatable-device-code", &["false", "true"]),
    ("--std", STANDARDS),
    ("-O", &["0", "1", "2", "3"]),
    ("-Werror", &["all-warnings"]),
    ("-fmad", &["false", "true"]),
    ("-ftz", &["false", "true"]),
    ("-rdc", &["false", "true"]),
    ("-std", STANDARDS),
];
const STANDARDS: &[&str] = &["c++03", "c++11", "c++14", "c++17", "c++20", "c++23"];
/// Flags that link device code, of which there is none in objects.
const DEVICE_LINK: [&str; 2] = ["-dlink", "--device-link"];
/// clang's driver would link device code if it knew of this. Other units call constructors of
/// complete objects, which must not be aliases.
const RDC: &[&str] = &["-Xclang", "-fgpu-rdc", "-Xclang", "-mno-constructor-aliases"];
const RDC_OBJECT: &[&str] = &["-c", "-Xclang", "-fgpu-rdc", "-Xclang", "-mno-constructor-aliases"];
/// Turns off the plugin's warning of macros that only the parses of others for devices define.
pub(crate) const NO_MACRO_WARNING: &[&str] = &["-Xclang", "-plugin-arg-sinter-hip-macros", "-Xclang", "off"];
/// Turns off the warning of overloads for devices that code for both sides does not call.
const NO_OVERLOAD_WARNING: &[&str] = &["-Xclang", "-plugin-arg-sinter-hip", "-Xclang", "no-overload-warning"];
/// Flags of nvcc whose value is the kind of the default stream.
const DEFAULT_STREAM: [&str; 2] = ["--default-stream", "-default-stream"];
/// Value of these and of clang's flag for streams that each thread has for itself.
const PER_THREAD: &str = "per-thread";
/// Macros by which programs ask for them.
const PER_THREAD_MACROS: [&str; 2] = ["HIP_API_PER_THREAD_DEFAULT_STREAM", "CUDA_API_PER_THREAD_DEFAULT_STREAM"];
/// Flags whose value, the next argument or behind `=`, is a list of flags of the host's compiler.
const FOR_HOST: [&str; 2] = ["-Xcompiler", "--compiler-options"];
/// Flags that nvcc takes with `=` before the value.
const JOINED: [&str; 5] = ["-D", "-I", "-L", "-isystem", "-l"];
/// The one whose value is a list of words for the linker.
const FOR_LINKER: &str = "-Xlinker";
/// Flags whose value, the next argument or behind `=`, is a file with arguments.
const OPTION_FILES: [&str; 2] = ["--options-file", "-optf"];
/// Libraries of other runtimes, whose functions are in ours.
const LIBRARIES: [&str; 5] = ["-lamdhip64", "-lcudart", "-lcudart_static", "-lcudadevrt", "-lcuda"];

/// The dialect of a command line: that of the compiler's name, of `-x`, or of a source.
pub(crate) fn dialect(name: &str, arguments: &[OsString]) -> Option<Dialect> {
    match name {
        HIPCC => return Some(Dialect::Hip),
        NVCC => return Some(Dialect::Cuda),
        _ => {}
    }
    let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
    let has = |found: &[&str], end: &str| {
        let mut last = "";
        words.iter().any(|word| {
            let is_language = found.contains(&&**word) || last == "-x" && found[1] == word;
            let is_source = !takes_value(last) && !word.starts_with('-') && word.ends_with(end);
            last = word;
            is_language || is_source
        })
    };
    match () {
        () if has(&["-xcuda", "cuda"], ".cu") => Some(Dialect::Cuda),
        () if has(&["-xhip", "hip"], ".hip") => Some(Dialect::Hip),
        () => None,
    }
}

/// Replaces flags of hipcc and nvcc, and the language CUDA by HIP.
pub(crate) fn translate(name: &str, dialect: Dialect, arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.iter().any(|argument| DEVICE_LINK.iter().any(|flag| argument == flag)) {
        return device_link(&arguments);
    }
    let is_cpp = |argument: &OsString| argument.to_string_lossy().starts_with("-std=") || argument == "-std";
    let mut out = Translation {
        has_standard: arguments.iter().any(is_cpp),
        out: Vec::new(),
        language: None,
        name: name.to_owned(),
        dialect,
        current: NONE.to_owned(),
    };
    let arguments = with_option_files(arguments);
    let arguments = if name == NVCC { with_single_macros(arguments) } else { arguments };
    let mut rest = join(arguments).into_iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy().into_owned();
        if text == END_OF_FLAGS {
            out.out.push(argument);
            out.out.extend(rest.by_ref());
        } else if let Some(kind) = DEFAULT_STREAM.iter().find_map(|flag| text.strip_prefix(flag)) {
            let next = || rest.next().map(|next| next.to_string_lossy().into_owned()).unwrap_or_default();
            out.default_stream(&kind.strip_prefix('=').map_or_else(next, str::to_owned));
        } else if is_per_thread_macro(&text) {
            out.default_stream(PER_THREAD);
        } else if let Some((_, becomes)) = REPLACED.iter().find(|(flag, _)| *flag == text) {
            out.out.extend(becomes.iter().map(OsString::from));
        } else if let Some(list) = FOR_HOST.iter().find_map(|flag| text.strip_prefix(flag)) {
            let list = match list.strip_prefix('=') {
                Some(list) => list.to_owned(),
                None => rest.next().map(|next| next.to_string_lossy().into_owned()).unwrap_or_default(),
            };
            out.out.extend(flags_for_host(&list).into_iter().map(OsString::from));
        } else if let Some((flag, value)) = text.split_once('=').filter(|(flag, _)| JOINED.contains(flag)) {
            out.out.extend([flag.into(), value.into()]);
        } else if let Some((FOR_LINKER, list)) = text.split_once('=') {
            out.out.extend(list.split(',').flat_map(|word| [FOR_LINKER.into(), word.into()]));
        } else if let Some(flag) = ignored(&text) {
            if WITH_VALUE.contains(&flag) && text == flag {
                rest.next();
            }
        } else if LIBRARIES.contains(&text.as_str()) {
            // In ours.
        } else if text == "-x" {
            let language = rest.next().map(|next| next.to_string_lossy().into_owned()).unwrap_or_default();
            out.select(&language);
        } else if let Some(language) = text.strip_prefix("-x").filter(|language| !language.is_empty()) {
            out.select(language);
        } else if takes_value(&text) {
            out.out.push(argument);
            out.out.extend(rest.next());
        } else {
            out.input(argument, &text);
        }
    }
    grouped(out.out)
}

/// The flags in a list for the host's compiler. They lie between commas and spaces; nvcc hands them
/// to a shell, so quotes and backslashes keep what they enclose and go. CMake's `FindCUDA` quotes
/// each flag.
fn flags_for_host(list: &str) -> Vec<String> {
    let (mut flags, mut flag, mut quote) = (Vec::new(), String::new(), None);
    let mut rest = list.chars();
    while let Some(c) = rest.next() {
        match (c, quote) {
            ('\\', None | Some('"')) => flag.extend(rest.next()),
            (_, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            (',' | ' ', None) => flags.push(std::mem::take(&mut flag)),
            _ => flag.push(c),
        }
    }
    flags.push(flag);
    flags.retain(|flag| !flag.is_empty());
    flags
}

/// Replaces nvcc's response files by what they contain.
fn with_option_files(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy();
        let file = match OPTION_FILES.iter().find_map(|flag| text.strip_prefix(flag)) {
            Some("") => rest.next().map(|next| next.to_string_lossy().into_owned()),
            Some(value) => value.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        match file {
            Some(file) => out.extend(response::expand(&[format!("@{file}").into()]).into_iter().map(OsString::from)),
            None => out.push(argument),
        }
    }
    out
}

/// Splits nvcc's lists of macros, in which `\,` stands for a comma.
fn with_single_macros(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        let text = argument.to_string_lossy().into_owned();
        let Some(list) = text.strip_prefix("-D") else {
            out.push(argument);
            out.extend(takes_next(&text).then(|| rest.next()).flatten());
            continue;
        };
        let list = match list.strip_prefix('=').unwrap_or(list) {
            "" => rest.next().map(|next| next.to_string_lossy().into_owned()).unwrap_or_default(),
            list => list.to_owned(),
        };
        let mut macros = vec!["-D".to_owned()];
        let mut characters = list.chars().peekable();
        while let Some(character) = characters.next() {
            let last = macros.last_mut().filter(|_| character != ',');
            match (last, character) {
                (Some(last), '\\') => last.push(characters.next_if_eq(&',').unwrap_or('\\')),
                (Some(last), _) => last.push(character),
                (None, _) => macros.push("-D".to_owned()),
            }
        }
        out.extend(macros.into_iter().map(OsString::from));
    }
    out
}

/// Linkers of device code search all archives for a function of any unit, whatever their order: so
/// does a linker of host code within a group.
fn grouped(arguments: Vec<OsString>) -> Vec<OsString> {
    let has = |flags: &[&str]| arguments.iter().any(|argument| flags.iter().any(|flag| argument == flag));
    let is_archive = |argument: &OsString| argument.to_string_lossy().ends_with(".a");
    if !has(&["-fgpu-rdc"])
        || has(&["-c", "-S", "-E", "-fsyntax-only", "--emit-static-lib"])
        || !arguments.iter().any(is_archive)
    {
        return arguments;
    }
    let (start, end) = ("-Wl,--start-group".into(), "-Wl,--end-group".into());
    std::iter::once(start).chain(arguments).chain([end]).collect()
}

/// True for `-DNAME` and `-DNAME=1` of a macro that asks for streams of threads.
fn is_per_thread_macro(text: &str) -> bool {
    let name = text.strip_prefix("-D").and_then(|macro_| macro_.split('=').next());
    name.is_some_and(|name| PER_THREAD_MACROS.contains(&name)) && !text.ends_with("=0")
}

/// Writes the flags of [`SEPARATE`] with `=`.
fn join(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    for argument in arguments {
        let last = out.last().map(|last| last.to_string_lossy().into_owned()).unwrap_or_default();
        let is_value =
            |(flag, values): &(&str, &[&str])| *flag == last && values.iter().any(|value| argument == *value);
        match (SEPARATE.iter().find(|&row| is_value(row)), out.last_mut()) {
            (Some((flag, _)), Some(last)) => *last = format!("{flag}={}", argument.to_string_lossy()).into(),
            _ => out.push(argument),
        }
    }
    out
}

/// The command for an object without contents, which builds for nvcc pass to the link.
fn device_link(arguments: &[OsString]) -> Vec<OsString> {
    let named = arguments.iter().position(|argument| argument == "-o").and_then(|at| arguments.get(at + 1));
    let output = named.cloned().unwrap_or_else(|| "a_dlink.o".into());
    let shared =
        arguments.iter().filter(|argument| argument.to_string_lossy().contains("fPIC")).map(|_| "-fPIC".into());
    ["-c", "-x", "c++", "/dev/null", "-o"].map(OsString::from).into_iter().chain([output]).chain(shared).collect()
}

/// True for flags of all compilers here whose value is the next argument.
pub(crate) fn takes_next(text: &str) -> bool {
    takes_value(text)
        || WITH_VALUE.contains(&text)
        || FOR_HOST.contains(&text)
        || OPTION_FILES.contains(&text)
        || DEFAULT_STREAM.contains(&text)
        || SEPARATE.iter().any(|(flag, _)| *flag == text && *flag != "-O" && *flag != "-Werror")
}

fn ignored(text: &str) -> Option<&'static str> {
    let name = text.split('=').next().unwrap_or(text);
    IGNORED.into_iter().chain(WITH_VALUE).find(|flag| *flag == name)
}

/// The language of clang's `-x` for sources whose names say it.
const NONE: &str = "none";

struct Translation {
    out: Vec<OsString>,
    /// Language of the sources that follow, if it does not depend on their names.
    language: Option<String>,
    /// Name by which the compiler is called.
    name: String,
    dialect: Dialect,
    /// Language that clang takes sources for.
    current: String,
    /// True if a flag says which standard of C++ holds, which clang does not take for C.
    has_standard: bool,
}

impl Translation {
    /// Kernels and functions take the null stream for one that each thread has for itself.
    fn default_stream(&mut self, kind: &str) {
        if kind == PER_THREAD {
            self.out.extend([format!("-fgpu-default-stream={PER_THREAD}").into()]);
            self.out.extend(PER_THREAD_MACROS[1..].iter().map(|name| format!("-D{name}=1").into()));
        }
    }

    fn select(&mut self, language: &str) {
        let language = if language == "cu" || language == "cuda" { "hip" } else { language };
        self.language = (language != NONE).then(|| language.to_owned());
        self.switch(language.to_owned());
    }

    fn switch(&mut self, language: String) {
        if self.current != language {
            self.out.extend(["-x".into(), OsString::from(&language)]);
            self.current = language;
        }
    }

    /// The language of a source, which clang may take for another.
    fn language_of(&self, text: &str) -> String {
        let ends = |ends: &[&str]| ends.iter().any(|end| text.ends_with(end));
        let is_named = [HIPCC, NVCC].contains(&&*self.name);
        match &self.language {
            // CMake says so of all sources of a project in C++.
            Some(language) if language == "c++" && is_named && ends(&[".cu", ".hip"]) => "hip".to_owned(),
            Some(language) => language.clone(),
            None if ends(&[".cu"]) && (self.dialect == Dialect::Cuda || self.name == HIPCC) => "hip".to_owned(),
            None if ends(&[".cpp", ".cc", ".cxx", ".C"]) && self.name == HIPCC => "hip".to_owned(),
            None if ends(&[".c"]) && !self.has_standard => "c".to_owned(),
            None => NONE.to_owned(),
        }
    }

    /// A language holds for all sources behind it, and clang warns of one without a source.
    fn input(&mut self, argument: OsString, text: &str) {
        if !text.starts_with('-') {
            self.switch(self.language_of(text));
        }
        self.out.push(argument);
    }
}

/// Flags for sources in HIP.
pub(crate) fn flags(installation: &Installation, dialect: Dialect) -> Vec<OsString> {
    let include = installation.root.join("include");
    let mut out: Vec<OsString> = [
        "--cuda-host-only",
        "-nogpuinc",
        "-nogpulib",
        "-no-hip-rt",
        "-fdeclspec",
        // Lets device code call all functions; stage 1 judges those that kernels reach.
        "-Xclang",
        "--hipstdpar",
        // Otherwise code for both sides may name a function of devices, as that accepts the host's.
        "-Xclang",
        "-fgpu-exclude-wrong-side-overloads",
        // CUDA's programs pass variables on that only some work-items have assigned.
        "-Xclang",
        "-no-enable-noundef-analysis",
        // A word of C that C++17 no longer has, of which other compilers warn.
        "-Wno-error=register",
    ]
    .map(OsString::from)
    .into();
    let prelude = match dialect {
        Dialect::Hip => {
            out.push("-D__HIP_PLATFORM_AMD__=1".into());
            "hip/prelude.hpp"
        }
        Dialect::Cuda => "cuda/prelude.hpp",
    };
    out.extend(["-include".into(), include.join(prelude).into()]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(arguments: &[&str]) -> Vec<OsString> {
        arguments.iter().map(OsString::from).collect()
    }

    fn translated(name: &str, arguments: &[&str]) -> Vec<String> {
        let arguments = words(arguments);
        let Some(dialect) = dialect(name, &arguments) else { panic!("not HIP") };
        translate(name, dialect, arguments).into_iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn sources_and_names_choose_the_dialect() {
        let of = |name, arguments: &[&str]| dialect(name, &words(arguments));
        assert_eq!(of("sinter-cc", &["a.cpp", "-o", "a.hip"]), None);
        assert_eq!(of("sinter-cc", &["a.hip"]), Some(Dialect::Hip));
        assert_eq!(of("sinter-cc", &["-x", "hip", "a.cpp"]), Some(Dialect::Hip));
        assert_eq!(of("sinter-cc", &["-c", "a.cu"]), Some(Dialect::Cuda));
        assert_eq!(of("hipcc", &["a.cpp"]), Some(Dialect::Hip));
        assert_eq!(of("nvcc", &["a.o"]), Some(Dialect::Cuda));
    }

    #[test]
    fn flags_of_nvcc_are_translated() {
        let given =
            ["-arch=sm_90", "-gencode", "arch=a,code=b", "-Xcompiler", "-fPIC,-Wall", "-rdc=true", "a.cu", "-lcudart"];
        let wanted = [&["-fPIC", "-Wall"][..], RDC, &["-x", "hip", "a.cu"]].concat();
        assert_eq!(translated("nvcc", &given), wanted);
        assert_eq!(translated("nvcc", &["a.cpp"]), ["a.cpp"]);
        assert_eq!(translated("nvcc", &["a.cu", "b.o", "-lm"]), ["-x", "hip", "a.cu", "-x", "none", "b.o", "-lm"]);
    }

    #[test]
    fn flags_of_nvcc_may_have_separate_values() {
        let given = ["-ccbin", "g++", "-std", "c++17", "-rdc", "true", "-Xptxas=-v", "-O", "3", "-t", "4", "a.cu"];
        let wanted = [&["-std=c++17"][..], RDC, &["-O3", "-x", "hip", "a.cu"]].concat();
        assert_eq!(translated("nvcc", &given), wanted);
        let given = ["-Werror", "all-warnings", "-fmad", "false", "-cudart", "static", "-fmad=true", "a.o"];
        assert_eq!(translated("nvcc", &given), ["-Werror", "-ffp-contract=off", "a.o"]);
        let given = ["--offload-arch", "gfx90a", "-Xarch_host", "-g", "-parallel-jobs=4", "a.o"];
        assert_eq!(translated("hipcc", &given), ["-g", "a.o"]);
    }

    #[test]
    fn quotes_and_backslashes_keep_what_they_enclose() {
        let given = ["-Xcompiler", r#","-O3","-Wl,-rpath,/x""#, r#"-Xcompiler=-DA=\"a\,b\" '-DB="c d"'"#, "a.o"];
        assert_eq!(translated("nvcc", &given), ["-O3", "-Wl,-rpath,/x", r#"-DA="a,b""#, r#"-DB="c d""#, "a.o"]);
    }

    #[test]
    fn flags_of_cmake_for_nvcc_are_translated() {
        let given =
            ["-isystem=/a b", "-Xlinker=-rpath,/x", "--generate-code=arch=compute_90,code=[sm_90]", "-x", "cu", "a.cu"];
        let wanted = ["-isystem", "/a b", "-Xlinker", "-rpath", "-Xlinker", "/x", "-x", "hip", "a.cu"];
        assert_eq!(translated("nvcc", &given), wanted);
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let file = folder.path().join("flags.rsp");
        std::fs::write(&file, "-I/x -isystem=/y").unwrap_or_else(|error| panic!("{error}"));
        let name = file.display().to_string();
        assert_eq!(translated("nvcc", &["--options-file", &name, "a.o"]), ["-I/x", "-isystem", "/y", "a.o"]);
        assert_eq!(translated("nvcc", &[&format!("-optf={name}"), "a.o"]), ["-I/x", "-isystem", "/y", "a.o"]);
    }

    #[test]
    fn nvcc_takes_lists_of_macros() {
        let given = [r"-DSIZES=1\,2", "-D", "A,B=2", r#"-D=C="a\b""#, "-Xcompiler", "-DE,-DF", "a.o"];
        let wanted = ["-DSIZES=1,2", "-DA", "-DB=2", r#"-DC="a\b""#, "-DE", "-DF", "a.o"];
        assert_eq!(translated("nvcc", &given), wanted);
        assert_eq!(translated("hipcc", &["-DA=1,2", "a.o"]), ["-DA=1,2", "a.o"]);
    }

    #[test]
    fn the_link_of_device_code_makes_an_empty_object() {
        let made = translated("nvcc", &["-arch=sm_80", "-dlink", "a.o", "b.o", "-o", "link.o"]);
        assert_eq!(made, ["-c", "-x", "c++", "/dev/null", "-o", "link.o"]);
    }

    #[test]
    fn each_source_has_its_language() {
        let given = ["a.cu", "b.c", "c.cpp", "d.o"];
        assert_eq!(translated("nvcc", &given), ["-x", "hip", "a.cu", "-x", "c", "b.c", "-x", "none", "c.cpp", "d.o"]);
        let given = ["-x", "c++", "-c", "a.cu", "b.cpp"];
        assert_eq!(translated("nvcc", &given), ["-x", "c++", "-c", "-x", "hip", "a.cu", "-x", "c++", "b.cpp"]);
    }

    #[test]
    fn default_streams_of_threads_have_many_flags() {
        let wanted = ["-fgpu-default-stream=per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", "-x", "hip", "a.cu"];
        for given in [
            &["--default-stream", "per-thread", "a.cu"][..],
            &["-default-stream=per-thread", "a.cu"],
            &["-DCUDA_API_PER_THREAD_DEFAULT_STREAM", "a.cu"],
        ] {
            assert_eq!(translated("nvcc", given), wanted);
        }
        assert_eq!(translated("nvcc", &["--default-stream", "legacy", "a.cu"]), ["-x", "hip", "a.cu"]);
    }

    #[test]
    fn archives_with_device_code_may_come_first() {
        let linked = translated("hipcc", &["-fgpu-rdc", "lib.a", "a.hip", "-o", "a"]);
        let (first, last) = (linked.first().map(String::as_str), linked.last().map(String::as_str));
        assert_eq!((first, last), (Some("-Wl,--start-group"), Some("-Wl,--end-group")), "{linked:?}");
        assert!(!translated("hipcc", &["-fgpu-rdc", "-c", "a.hip"]).contains(&"-Wl,--start-group".to_owned()));
        assert!(!translated("hipcc", &["lib.a", "a.hip"]).contains(&"-Wl,--start-group".to_owned()));
    }

    #[test]
    fn hipcc_compiles_all_sources_as_hip() {
        let given = ["--offload-arch=gfx90a", "a.cpp", "-o", "a"];
        assert_eq!(translated("hipcc", &given), ["-x", "hip", "a.cpp", "-o", "a"]);
        assert_eq!(translated("sinter-cc", &["-x", "cuda", "a.cpp"]), ["-x", "hip", "a.cpp"]);
    }
}
