//! Sources in HIP and CUDA.
//!
//! In: a command line for clang, hipcc or nvcc. Out: one for clang, which compiles the host's half
//! of HIP; stage 1 takes the kernels from there. *Invariant:* one binary serves all devices, so
//! flags that choose some are taken and have no effect, and a command line without such sources is
//! not changed.

use crate::{
    arguments::{END_OF_FLAGS, takes_value},
    clang::Installation,
};
use std::ffi::OsString;

/// Names by which other compilers are called, and under which their flags are ours.
pub(crate) const HIPCC: &str = "hipcc";
pub(crate) const NVCC: &str = "nvcc";

/// A language with kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Hip,
    Cuda,
}

/// Flags of hipcc and nvcc that have no effect, as they are or with a value behind `=`.
const IGNORED: [&str; 21] = [
    "--cuda",
    "--expt-extended-lambda",
    "--expt-relaxed-constexpr",
    "--extended-lambda",
    "--generate-code",
    "--gpu-architecture",
    "--gpu-code",
    "--hip-link",
    "--offload-arch",
    "--threads",
    "-arch",
    "-code",
    "-expt-extended-lambda",
    "-expt-relaxed-constexpr",
    "-extended-lambda",
    "-fno-gpu-rdc",
    "-gencode",
    "-lineinfo",
    "-m64",
    "-maxrregcount",
    "-restrict",
];
/// Those whose value is the next argument unless it follows `=`.
const WITH_VALUE: [&str; 8] =
    ["--generate-code", "--gpu-architecture", "--gpu-code", "--threads", "-arch", "-code", "-gencode", "-maxrregcount"];
/// Flags with what clang gets instead.
const REPLACED: [(&str, &[&str]); 10] = [
    ("--relocatable-device-code=true", RDC),
    ("--use_fast_math", &["-ffast-math"]),
    ("-dc", &["-c", "-Xclang", "-fgpu-rdc"]),
    ("-fgpu-rdc", RDC),
    ("-rdc=true", RDC),
    ("-use_fast_math", &["-ffast-math"]),
    ("-Wno-sinter-hip-device-macro", NO_MACRO_WARNING),
    ("-G", &["-g"]),
    ("-Xptxas", &[]),
    ("-rdc=false", &[]),
];
/// clang's driver would link device code if it knew of this.
const RDC: &[&str] = &["-Xclang", "-fgpu-rdc"];
/// Turns off the plugin's warning of macros that only the parses of others for devices define.
const NO_MACRO_WARNING: &[&str] = &["-Xclang", "-plugin-arg-sinter-hip-macros", "-Xclang", "off"];
/// Flags of nvcc whose value is the kind of the default stream.
const DEFAULT_STREAM: [&str; 2] = ["--default-stream", "-default-stream"];
/// Value of these and of clang's flag for streams that each thread has for itself.
const PER_THREAD: &str = "per-thread";
/// Macros by which programs ask for them.
const PER_THREAD_MACROS: [&str; 2] = ["HIP_API_PER_THREAD_DEFAULT_STREAM", "CUDA_API_PER_THREAD_DEFAULT_STREAM"];
/// Flags whose value, the next argument or behind `=`, is a list of flags of the host's compiler.
const FOR_HOST: [&str; 2] = ["-Xcompiler", "--compiler-options"];
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
    let mut out = Translation { out: Vec::new(), language: None, is_hipcc: name == HIPCC, dialect, is_switched: false };
    let mut rest = arguments.into_iter();
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
            if text == "-Xptxas" {
                rest.next();
            }
        } else if let Some(list) = FOR_HOST.iter().find_map(|flag| text.strip_prefix(flag)) {
            let list = match list.strip_prefix('=') {
                Some(list) => list.to_owned(),
                None => rest.next().map(|next| next.to_string_lossy().into_owned()).unwrap_or_default(),
            };
            out.out.extend(list.split([',', ' ']).filter(|flag| !flag.is_empty()).map(OsString::from));
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

fn ignored(text: &str) -> Option<&'static str> {
    let name = text.split('=').next().unwrap_or(text);
    IGNORED.into_iter().find(|flag| *flag == name)
}

struct Translation {
    out: Vec<OsString>,
    /// Language of the sources that follow, if it does not depend on their names.
    language: Option<String>,
    is_hipcc: bool,
    dialect: Dialect,
    /// True behind `-x hip` that was not on the command line.
    is_switched: bool,
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
        self.language = (language != "none").then(|| language.to_owned());
        self.out.extend(["-x".into(), language.into()]);
    }

    /// True for a source that clang would take for another language.
    fn needs_language(&self, text: &str) -> bool {
        let is_cpp = [".cpp", ".cc", ".cxx", ".C"].iter().any(|end| text.ends_with(end));
        let is_hip = self.dialect == Dialect::Cuda || self.is_hipcc;
        self.language.is_none() && (text.ends_with(".cu") && is_hip || is_cpp && self.is_hipcc)
    }

    /// A language holds for all sources behind it, and clang warns of one without a source.
    fn input(&mut self, argument: OsString, text: &str) {
        let is_source = !text.starts_with('-');
        let wanted = is_source.then(|| self.needs_language(text)).filter(|wanted| *wanted != self.is_switched);
        if let Some(wanted) = wanted {
            self.out.extend(["-x".into(), OsString::from(if wanted { "hip" } else { "none" })]);
            self.is_switched = wanted;
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
    ]
    .map(OsString::from)
    .into();
    let (macros, header): (&[&str], _) = match dialect {
        Dialect::Hip => (&["-D__HIPCC__=1", "-D__HIP_PLATFORM_AMD__=1"], "hip/hip_runtime.h"),
        Dialect::Cuda => (&["-D__CUDACC__=1", "-D__NVCC__=1", "-DSINTER_HIP_IS_CUDA=1"], "cuda/cuda_runtime.h"),
    };
    out.extend(macros.iter().map(OsString::from));
    out.extend(["-isystem".into(), include.join("cuda").into()]);
    out.extend(["-include".into(), include.join(header).into()]);
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
        let wanted = ["-fPIC", "-Wall", "-Xclang", "-fgpu-rdc", "-x", "hip", "a.cu"];
        assert_eq!(translated("nvcc", &given), wanted);
        assert_eq!(translated("nvcc", &["a.cpp"]), ["a.cpp"]);
        assert_eq!(translated("nvcc", &["a.cu", "b.o", "-lm"]), ["-x", "hip", "a.cu", "-x", "none", "b.o", "-lm"]);
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
