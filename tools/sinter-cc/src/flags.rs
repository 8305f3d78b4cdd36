//! The flags of sinter-cc itself.
//!
//! In: arguments. Out: our flags as values, and the other arguments for clang.
//! *Invariant:* the table is the only list of the flags; parser and help are derived from it.

use crate::{arguments::Scan, hip::Dialect};
use sinter_core::nearest::nearest;
use std::ffi::OsString;

const PREFIX: &str = "--sinter-";
const NOT_STATIC: &str = "-static links a program that cannot open libraries, and the runtime opens its translator and the \
                          drivers of devices when the program runs; link with -static-libstdc++ -static-libgcc and the \
                          path of libsinter.a instead, which leaves the C library alone shared";

/// The value that leaves allocations alone.
const NEVER: &str = "never";

/// Severity of a finding.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    /// The check is off.
    Off,
    /// An error with `-Werror`, otherwise a warning.
    #[default]
    Usual,
    /// A warning, even with `-Werror`.
    Warning,
    /// An error.
    Error,
}

/// A flag of sinter-cc.
struct Flag {
    name: &'static str,
    /// Placeholder of the optional value after `=`; empty if the flag has no value.
    value: &'static str,
    help: &'static str,
    set: fn(&mut Flags, Option<String>),
}

impl Flag {
    /// True if an argument is this flag, with a value or without.
    fn takes(&self, argument: &str) -> bool {
        match argument.strip_prefix(self.name) {
            Some("") => true,
            Some(rest) => !self.value.is_empty() && rest.starts_with('='),
            None => false,
        }
    }
}

const TABLE: &[Flag] = &[
    Flag {
        name: "--sinter-emit-hcf",
        value: "PATH",
        help: "also write the container of each source file, to SOURCE.hcf or PATH",
        set: |flags, value| flags.emit_hcf = Some(value.unwrap_or_else(|| "auto".to_owned())),
    },
    Flag {
        name: "--stdpar",
        value: "",
        help: "run the parallel algorithms of ISO C++ (std::execution::par and par_unseq) on devices",
        set: |flags, _| flags.stdpar = true,
    },
    Flag { name: "--hipstdpar", value: "", help: "the same; clang's name for it", set: |flags, _| flags.stdpar = true },
    Flag { name: "-stdpar", value: "gpu", help: "the same; nvc++'s name for it", set: |flags, _| flags.stdpar = true },
    Flag {
        name: "--stdpar-interpose-alloc",
        value: "auto|always|never",
        help: "whether --stdpar code allocates where devices reach it; auto and always: if a device needs it",
        set: |flags, value| flags.interposition = value,
    },
    Flag {
        name: "--hipstdpar-interpose-alloc",
        value: "auto|always|never",
        help: "the same; clang's name for it, with always where it has no value",
        set: |flags, value| flags.interposition = value,
    },
    Flag {
        name: "--sinter-device-pass",
        value: "",
        help: "parse HIP and CUDA once more, for devices: `__CUDA_ARCH__` and its kin are defined there",
        set: |flags, _| flags.device_pass = true,
    },
    Flag {
        name: "--sinter-late-functions",
        value: "",
        help: "SYCL_EXTERNAL functions of other files may be missing in the link: plug-ins bring them",
        set: |flags, _| flags.late_functions = true,
    },
    Flag {
        name: "--sinter-dry-run",
        value: "",
        help: "print the clang command instead of running it",
        set: |flags, _| flags.dry_run = true,
    },
    Flag {
        name: "-Wno-sinter-unresolved",
        value: "",
        help: "do not look in linked programs for kernels that call what is not defined for devices",
        set: |flags, _| flags.unresolved = Severity::Off,
    },
    Flag {
        name: "-Wsinter-unresolved",
        value: "",
        help: "warn of such kernels, which is the default",
        set: |flags, _| flags.unresolved = Severity::Usual,
    },
    Flag {
        name: "-Werror=sinter-unresolved",
        value: "",
        help: "such kernels are errors, as they are with -Werror",
        set: |flags, _| flags.unresolved = Severity::Error,
    },
    Flag {
        name: "-Wno-error=sinter-unresolved",
        value: "",
        help: "they are warnings, with -Werror too",
        set: |flags, _| flags.unresolved = Severity::Warning,
    },
    Flag {
        name: "-Wsinter-stdpar",
        value: "",
        help: "warn of parallel algorithms that stay on the host with --stdpar",
        set: |flags, _| flags.warns_of_stays = true,
    },
    Flag {
        name: "-Wno-sinter-stdpar",
        value: "",
        help: "do not warn of them, which is the default",
        set: |flags, _| flags.warns_of_stays = false,
    },
    Flag {
        name: "-Werror=sinter-stdpar",
        value: "",
        help: "such algorithms are errors, as they are with -Wsinter-stdpar -Werror",
        set: |flags, _| (flags.warns_of_stays, flags.stays) = (true, Severity::Error),
    },
    Flag {
        name: "-Wno-error=sinter-stdpar",
        value: "",
        help: "they are no errors, with -Wsinter-stdpar -Werror too: remarks then",
        set: |flags, _| flags.stays = Severity::Warning,
    },
    Flag {
        name: "--sinter-no-note",
        value: "",
        help: "do not name the flags that are not needed or have no effect",
        set: |flags, _| flags.no_note = true,
    },
    Flag {
        name: "--sinter-flags",
        value: "",
        help: "print the flags of icpx and acpp, with what is done about each",
        set: |flags, _| flags.list = true,
    },
    Flag { name: "--sinter-help", value: "", help: "print this text", set: |flags, _| flags.help = true },
];

/// A parsed command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags {
    /// Destination of containers: `auto` or a path.
    pub(crate) emit_hcf: Option<String>,
    /// True if device functions of other files are resolved at run time.
    pub(crate) late_functions: bool,
    /// True if sources in HIP and CUDA are parsed for devices too.
    pub(crate) device_pass: bool,
    /// The modules of these parses, as `SOURCE=FILE`.
    pub(crate) device_modules: Vec<OsString>,
    /// True if parallel algorithms of ISO C++ run on devices.
    pub(crate) stdpar: bool,
    /// Value of the flag that interposes allocations.
    interposition: Option<String>,
    pub(crate) dry_run: bool,
    pub(crate) help: bool,
    /// Prints the flags of other compilers.
    pub(crate) list: bool,
    /// HIP or CUDA, if there are such sources.
    pub(crate) dialect: Option<Dialect>,
    /// The source has no kernels: plain clang compiles it.
    pub(crate) host_only: bool,
    /// Links programs without the runtime.
    pub(crate) no_library: bool,
    /// Severity for kernels that call undefined functions.
    unresolved: Severity,
    /// True if there is a warning for parallel algorithms that stay on the host.
    warns_of_stays: bool,
    /// Severity of that warning.
    stays: Severity,
    no_note: bool,
    /// Flags of other compilers that were dropped.
    dropped: Vec<String>,
    /// Other arguments, for clang.
    pub(crate) clang: Vec<OsString>,
}

impl Flags {
    /// Severity for kernels of a linked program that call undefined functions. Never
    /// `Severity::Usual`.
    pub(crate) fn unresolved(&self, scan: &Scan) -> Severity {
        match self.unresolved {
            _ if self.host_only || self.late_functions || scan.is_quiet => Severity::Off,
            Severity::Usual if scan.warnings_are_errors => Severity::Error,
            Severity::Usual => Severity::Warning,
            settled => settled,
        }
    }

    /// Severity for parallel algorithms that stay on the host.
    pub(crate) fn stays_on_host(&self) -> Severity {
        if self.warns_of_stays { self.stays } else { Severity::Off }
    }

    /// True if allocations of the unit may become shared memory.
    pub(crate) fn interposes(&self) -> bool {
        self.stdpar && self.interposition.as_deref() != Some(NEVER)
    }

    /// Leaves the allocations of `--stdpar` code alone.
    pub(crate) fn leave_allocations(&mut self) {
        self.interposition = Some(NEVER.to_owned());
    }

    /// Drops a flag of another compiler; [`Flags::note`] names it.
    pub(crate) fn drop_foreign(&mut self, flag: &str) {
        if !self.dropped.iter().any(|dropped| dropped == flag) {
            self.dropped.push(flag.to_owned());
        }
    }

    /// One line about flags without effect, if anything is compiled: those of other compilers that
    /// were dropped, and `--stdpar` with a standard that has no execution policies.
    ///
    /// CMake and other build systems take a flag as rejected if the output has certain words, such
    /// as "option" and "unused".
    pub(crate) fn note(&self) -> Option<String> {
        let scan = Scan::of(&self.clang);
        let dropped = (!self.dropped.is_empty())
            .then(|| format!("not needed here: {}; --sinter-flags says why", self.dropped.join(", ")));
        let old = scan.old_standard().filter(|_| self.stdpar);
        let old = old.map(|flag| format!("--stdpar needs C++17 or later: {flag} has no execution policies"));
        let notes: Vec<_> = dropped.into_iter().chain(old).collect();
        let is_wanted = !notes.is_empty() && !self.no_note && scan.inputs > 0;
        is_wanted.then(|| format!("note: {} (--sinter-no-note leaves this line out)", notes.join("; ")))
    }

    /// Sets one of our flags.
    pub(crate) fn set(&mut self, text: &str) -> Result<(), String> {
        let is_whole = TABLE.iter().any(|flag| flag.name == text);
        let parts = text.split_once('=').filter(|_| !is_whole);
        let (name, value) = parts.map_or((text, None), |(name, value)| (name, Some(value.to_owned())));
        let flag = TABLE.iter().find(|flag| flag.name == name).ok_or_else(|| unknown(name))?;
        match value {
            Some(_) if flag.value.is_empty() => Err(format!("{name} takes no value")),
            Some(value) if value.is_empty() => Err(format!("{name}= needs a {}", flag.value)),
            value => {
                (flag.set)(self, value);
                Ok(())
            }
        }
    }

    /// Rejects flags that contradict each other.
    pub(crate) fn check(self) -> Result<Self, String> {
        let scan = Scan::of(&self.clang);
        if scan.links_statically() {
            return Err(NOT_STATIC.to_owned());
        }
        match &self.emit_hcf {
            Some(path) if path != "auto" && scan.inputs > 1 => Err(format!(
                "--sinter-emit-hcf={path} names one file, but there are {} inputs; leave the path out",
                scan.inputs
            )),
            _ => self.check_interposition(),
        }
    }

    fn check_interposition(self) -> Result<Self, String> {
        match self.interposition.as_deref() {
            None | Some("auto" | "always" | NEVER) => Ok(self),
            Some(other) => Err(format!("--stdpar-interpose-alloc takes auto, always or never, not {other}")),
        }
    }

    /// True if clang will print its own help.
    pub(crate) fn asks_for_help(&self) -> bool {
        self.clang.iter().any(|argument| argument == "--help" || argument == "-help")
    }

    pub(crate) fn is_version_query(&self) -> bool {
        self.clang.iter().any(|argument| argument == "--version")
    }
}

/// True for flags of sinter-cc, and for arguments with the same prefix.
pub(crate) fn is_ours(argument: &str) -> bool {
    argument.starts_with(PREFIX) || TABLE.iter().any(|flag| flag.takes(argument))
}

fn unknown(name: &str) -> String {
    let known: Vec<_> = TABLE.iter().map(|flag| flag.name).collect();
    match nearest(name, known.iter().copied()) {
        Some(meant) => format!("unknown flag {name}; did you mean {meant}?"),
        None => format!("unknown flag {name}; ours are {}", known.join(", ")),
    }
}

/// Output of `--sinter-help`.
pub(crate) fn help() -> String {
    let mut text = String::from(
        "Usage: sinter-cc [CLANG FLAGS] [--sinter-...] FILE...\n\n\
         Compiles C++ as clang++ 19 does and embeds the kernels. All flags of clang++ work, and those of icpx and \
         acpp;\n\
         besides:\n",
    );
    for flag in TABLE {
        let value = if flag.value.is_empty() { String::new() } else { format!("[={}]", flag.value) };
        text.push_str(&format!("  {:<31}{}\n", format!("{}{value}", flag.name), flag.help));
    }
    text.push_str("\nExample: sinter-cc -O2 a.cpp -o a");
    text
}
