//! The table of settings.
//!
//! In: the string of a variable. Out: a changed value of [`Tunables`]. *Invariant:* a setting is
//! one row; parser, `sinter-info` and documentation are generated from it.
#![forbid(unsafe_code)]

use super::{
    parse::{
        Expected, absolute, age, choice, debug_level, float, folders, group_size, host_level, jit_level, kernels,
        on_or_off, one_of, opt_level, report, rows, seconds, size, stdpar_device, sub_group_size, threads, variants,
    },
    tunables::{CacheMode, Tunables},
    visibility::{MASK, VisibilityMask, adaptive_cpp, one_api},
};
use crate::{
    code::{tiers::JitMode, variant::LineTables},
    vendor::families::FamilyIndex,
};

/// A setting.
pub struct Row {
    /// Name of the environment variable.
    pub name: &'static str,
    /// Syntax of its values, for the documentation.
    pub kind: &'static str,
    /// Default, as a user would write it; empty means unset.
    pub default: &'static str,
    /// Effect, for the documentation.
    pub doc: &'static str,
    /// True if it changes the machine code of kernels.
    pub changes_code: bool,
    /// True if it names a file that a process with raised privileges must not take from its caller.
    pub trusted_only: bool,
    pub(super) parse: fn(&mut Tunables, &str) -> Result<(), Expected>,
}

/// Sets the mask, unless a variable with higher priority has set it. Parsing never fails: words
/// that are not understood are reported during device discovery, with those that name no device.
fn visible(t: &mut Tunables, read: fn(&str) -> VisibilityMask, text: &str) -> Result<(), Expected> {
    t.visibility.get_or_insert_with(|| read(text));
    Ok(())
}

/// Parses Sinter's own mask.
fn own_mask(text: &str) -> VisibilityMask {
    let Ok(mask) = text.parse();
    mask
}

/// All settings of the runtime.
pub const TABLE: &[Row] = &[
    Row {
        name: "SINTER_CACHE_DIR",
        kind: "folder",
        default: "",
        doc: "Folder of the disk cache. A relative path, here and in other settings, starts at the folder that is \
            current when the program first uses Sinter. Unset: $XDG_CACHE_HOME/sinter, else ~/.cache/sinter, else a \
            private folder in the temporary folder.",
        changes_code: false,
        trusted_only: true,
        parse: |t, v| absolute(v).map(|path| t.cache_dir = Some(path)),
    },
    Row {
        name: "SINTER_CACHE_DIRS",
        kind: "folders, separated by :",
        default: "",
        doc: "Caches that are only read, searched in this order after the disk cache; for example one that an administrator fills. Each folder must belong to root or to the user, and others must not be able to write to it.",
        changes_code: false,
        trusted_only: true,
        parse: |t, v| folders(v).map(|paths| t.cache_dirs = paths),
    },
    Row {
        name: "SINTER_CACHE",
        kind: "on|off|readonly",
        default: "on",
        doc: "Whether the disk cache is used.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| {
            let modes = [("on", CacheMode::On), ("off", CacheMode::Off), ("readonly", CacheMode::ReadOnly)];
            one_of(v, &modes).map(|mode| t.cache = mode)
        },
    },
    Row {
        name: "SINTER_CACHE_SIZE",
        kind: "bytes, with K, M or G",
        default: "1G",
        doc: "Size limit of the disk cache; the least recently used entries are removed beyond it.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| size(v).map(|size| t.cache_size = size),
    },
    Row {
        name: "SINTER_CACHE_AGE",
        kind: "time, with h or d",
        default: "90d",
        doc: "What was not used for this long is removed from the disk cache.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| age(v).map(|age| t.cache_age = age),
    },
    Row {
        name: "SINTER_CACHE_WAIT",
        kind: "0-3600",
        default: "10",
        doc: "Seconds to wait for another process that compiles the same kernel and gives no sign of life. While it gives one, the wait goes on; 0 never waits.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| seconds(v).map(|wait| t.cache_wait = wait),
    },
    Row {
        name: MASK,
        kind: "gpu, cpu or driver, each [:index[,index]][;...]",
        default: "",
        doc: "Devices to use, in this order, for example gpu;host, cuda:0 or hip; sinter-info shows the entry for \
            each device. Drivers are cuda, hip, level-zero (or level_zero), opencl, vulkan and host (the CPU, also \
            called cpu). A word that is not known selects nothing, and the others count. Unset: all, but for CPUs \
            that OpenCL finds and devices of Vulkan: those are there only where the mask names opencl or vulkan.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| visible(t, own_mask, v),
    },
    Row {
        name: "ONEAPI_DEVICE_SELECTOR",
        kind: "backend:device[,device][;...]",
        default: "",
        doc: "DPC++'s choice of devices, for example level_zero:gpu or !opencl:*, used where SINTER_VISIBILITY_MASK is \
              unset. native_cpu is the host driver. Devices keep their order; parts of devices, such as 1.0, cannot be \
              selected.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| visible(t, one_api, v),
    },
    Row {
        name: "ACPP_VISIBILITY_MASK",
        kind: "backend[:index[,index]][;...]",
        default: "",
        doc: "AdaptiveCpp's choice of backends, for example cuda or omp;ocl:0, used where the two above are unset. omp \
              is the host driver, which is always there; platforms and parts of names cannot be selected.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| visible(t, adaptive_cpp, v),
    },
    Row {
        name: "SINTER_DEBUG_LEVEL",
        kind: "off|error|warn|info|debug|trace or 0-5",
        default: "warn",
        doc: "How much is logged to standard error.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| debug_level(v).map(|level| t.debug_level = level),
    },
    Row {
        name: "SINTER_DUMP",
        kind: "folder",
        default: "",
        doc: "Folder that receives the IR after each step of a translation and the final code; the disk cache is then not read.",
        changes_code: false,
        trusted_only: true,
        parse: |t, v| absolute(v).map(|path| t.dump = Some(path)),
    },
    Row {
        name: "SINTER_TRANSLATOR",
        kind: "file",
        default: "",
        doc: "The translator library. Unset: libsinter_translate.so beside libsinter.so, or in ../lib.",
        changes_code: true,
        trusted_only: true,
        parse: |t, v| absolute(v).map(|path| t.translator = Some(path)),
    },
    Row {
        name: "SINTER_REPORT",
        kind: "on|off or a file",
        default: "off",
        doc: "Where to write which kernels ran, at the end of the process, with their variants, their code and their \
              times. on: a table to standard error; 1, true, yes and stderr mean the same. A file whose name ends in \
              .html is a page for a browser, any other one a table. Kernels on the host CPU are timed then, those on \
              other devices in queues with profiling, or all with SINTER_TRACE.",
        changes_code: false,
        trusted_only: true,
        parse: |t, v| report(v).map(|target| t.report = target),
    },
    Row {
        name: "SINTER_TRACE",
        kind: "file",
        default: "",
        doc: "File for a trace of translations, loads, launches, transfers, waits and jobs of the background, which \
              Perfetto and Chrome's viewer show. The report then has the times of kernels on all devices. Each \
              command is timed, which makes short ones slower.",
        changes_code: false,
        trusted_only: true,
        parse: |t, v| absolute(v).map(|path| t.trace = Some(path)),
    },
    Row {
        name: "NVTX_INJECTION64_PATH",
        kind: "file",
        default: "",
        doc: "Library of a tool that takes NVTX ranges; tools such as Nsight Systems set it in the programs that they \
              start. The tool is then told of translations, loads, launches by the names of their kernels, transfers \
              and waits, in the domain Sinter.",
        changes_code: false,
        trusted_only: true,
        parse: |t, v| absolute(v).map(|path| t.ranges = Some(path)),
    },
    Row {
        name: "SINTER_PROGRESS",
        kind: "on|off",
        default: "on",
        doc: "Whether kernels that take longer than a second to compile are announced on standard error, at most every five seconds.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| on_or_off(v).map(|shown| t.progress = shown),
    },
    Row {
        name: "SINTER_THREADS",
        kind: "1-4096",
        default: "",
        doc: "Threads of the host driver. Unset: one per CPU that the process may use.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| threads(v).map(|count| t.threads = Some(count)),
    },
    Row {
        name: "SINTER_PIN_THREADS",
        kind: "on|off",
        default: "off",
        doc: "Whether each thread of the host driver stays on one CPU, in the order of the CPUs that the process may use. A thread of the program that waits for a kernel and helps is not pinned.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| on_or_off(v).map(|pinned| t.pinned_threads = pinned),
    },
    Row {
        name: "SINTER_HOST_CPU",
        kind: "native, x86-64, x86-64-v2, x86-64-v3 or x86-64-v4",
        default: "native",
        doc: "The CPU that code for the host is made for. Machines that share a cache folder share the code of a level that all of them have.",
        changes_code: true,
        trusted_only: false,
        parse: |t, v| host_level(v).map(|level| t.host_level = level),
    },
    Row {
        name: "SINTER_OPT_LEVEL",
        kind: "O0|O1|O2|O3 or 0-3",
        default: "O3",
        doc: "Optimisation level of translations: O0: none; O1: quick code alone, on the host CPU; O2 and O3: all.",
        changes_code: true,
        trusted_only: false,
        parse: |t, v| opt_level(v).map(|level| t.opt_level = level),
    },
    Row {
        name: "SINTER_JIT_MODE",
        kind: "sync|fallback|require",
        default: "fallback",
        doc: "What a launch does whose code is in no cache. fallback: on the host CPU it runs quick code with the \
              same results, and the optimised code replaces that when it is ready; elsewhere it waits for the \
              optimised code; sync: it waits for the optimised code everywhere; require: it fails, so that nothing \
              is compiled. A queue may have a mode of its own.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| {
            let modes = [("sync", JitMode::Sync), ("fallback", JitMode::Fallback), ("require", JitMode::Require)];
            one_of(v, &modes).map(|mode| t.jit_mode = mode)
        },
    },
    Row {
        name: "SINTER_JIT_AHEAD",
        kind: "0-256",
        default: "16",
        doc: "How many kernels of a program or library may be prepared beside it, before their first launch, where \
              their code may be in no cache: those that its last process launched, or in its first process all, if \
              they are few. 0: none. Needs the disk cache and a second CPU.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| kernels(v).map(|count| t.jit_ahead = count),
    },
    Row {
        name: "SINTER_JIT_SPECIALIZE",
        kind: "0-64",
        default: "0",
        doc: "How many variants of a kernel may be made, on CPUs that are idle, for values that its launches repeat: \
              integer arguments that decide how often loops run, which case of a switch is taken, by what is divided \
              or how far elements lie apart. Launches with other values run the code for all. 0: none. On the host \
              CPU, and on GPUs of NVIDIA and AMD.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| variants(v).map(|count| t.jit_specialize = count),
    },
    Row {
        name: "SINTER_AUTOTUNE",
        kind: "on|off",
        default: "off",
        doc: "Whether launches that leave the work-group size open compare sizes, which costs at most 1 % of their \
              time. The size that is faster is used from then on, and by later processes with this setting. On the \
              host CPU, and on GPUs of NVIDIA and AMD.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| on_or_off(v).map(|compares| t.autotune = compares),
    },
    Row {
        name: "SINTER_WISDOM",
        kind: "file",
        default: "",
        doc: "File of work-group sizes that were compared, one on each line. It is read with and without \
              SINTER_AUTOTUNE, and written with it, so that a program can be shipped with the file. Unset: the disk \
              cache keeps them for processes with SINTER_AUTOTUNE=on.",
        changes_code: false,
        trusted_only: true,
        parse: |t, v| absolute(v).map(|path| t.wisdom = Some(path)),
    },
    Row {
        name: "SINTER_FLOAT",
        kind: "fast, no-contraction, flush-denormals, approximate-division, approximate-square-root, separated by ,",
        default: "",
        doc: "Freedom with floating-point operations beyond what the program was compiled with. fast: all that -ffast-math allows; no-contraction: never fuse. The others are for single precision on GPUs. Unset: as compiled.",
        changes_code: true,
        trusted_only: false,
        parse: |t, v| float(v).map(|(mode, allowed)| (t.float_mode, t.approximations) = (mode, allowed)),
    },
    Row {
        name: "SINTER_ROWS",
        kind: "auto, off, 4, 8, 16, 32 or 64",
        default: "auto",
        doc: "Vector code of kernels on the host CPU: how many work-items run together in a row, if the kernel can run so. auto: as many as the CPU's registers hold, where a row is estimated to be faster. Kernels that exchange values in sub-groups run in rows of that size, whatever is set; with off, only those that require a size, and sub-groups of the others have one work-item.",
        changes_code: true,
        trusted_only: false,
        parse: |t, v| rows(v).map(|rows| t.rows = rows),
    },
    Row {
        name: "SINTER_SUB_GROUP_SIZE",
        kind: "1, 4, 8, 16, 32 or 64",
        default: "32",
        doc: "Work-items of a sub-group on the host CPU, for kernels that require no size. Kernels that cannot run in rows have sub-groups of one work-item, and a warning says why.",
        changes_code: true,
        trusted_only: false,
        parse: |t, v| sub_group_size(v).map(|size| t.default_sub_group_size = size),
    },
    Row {
        name: "SINTER_LIBDEVICE",
        kind: "file or none",
        default: "",
        doc: "NVIDIA's math functions for kernels on its GPUs, libdevice.10.bc. none: the translator's own. Unset: that of the toolkit in CUDA_PATH, CUDA_HOME, CUDA_ROOT or a usual place, else the translator's own; a place without it is passed over.",
        changes_code: true,
        trusted_only: true,
        parse: |t, v| {
            t.libraries[FamilyIndex::Libdevice as usize] = choice(v)?;
            Ok(())
        },
    },
    Row {
        name: "SINTER_ROCM_DEVICE_LIB_PATH",
        kind: "folder or none",
        default: "",
        doc: "AMD's math functions for kernels on its GPUs, a folder with ocml.bc. none: the translator's own. Unset: those in HIP_DEVICE_LIB_PATH, in ROCM_PATH or a usual place, else the translator's own; a place without them is passed over.",
        changes_code: true,
        trusted_only: true,
        parse: |t, v| {
            t.libraries[FamilyIndex::Rocm as usize] = choice(v)?;
            Ok(())
        },
    },
    Row {
        name: "SINTER_LINE_TABLES",
        kind: "on|off|host",
        default: "host",
        doc: "Which code says from which source line it comes, for debuggers and profilers; the program must be compiled with -g. host: that for the host CPU; on: that for GPUs too.",
        changes_code: true,
        trusted_only: false,
        parse: |t, v| {
            let values = [("on", LineTables::All), ("off", LineTables::Off), ("host", LineTables::Host)];
            one_of(v, &values).map(|wanted| t.line_tables = wanted)
        },
    },
    Row {
        name: "SINTER_SEPARATE_ALLOCATIONS",
        kind: "on|off",
        default: "on",
        doc: "Whether kernels that gain by it are compiled for pointers to different allocations. off: for all \
            pointers.",
        changes_code: true,
        trusted_only: false,
        parse: |t, v| on_or_off(v).map(|wanted| t.separate_allocations = wanted),
    },
    Row {
        name: "SINTER_SHARED_BUFFERS",
        kind: "on|off",
        default: "on",
        doc: "Whether CPUs use the host's memory of a buffer. off: they have a copy, as GPUs do, which finds programs \
            that use the memory of a buffer without an accessor.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| on_or_off(v).map(|wanted| t.shared_buffers = wanted),
    },
    Row {
        name: "SINTER_PERF_MAP",
        kind: "on|off",
        default: "off",
        doc: "Whether the names of loaded functions of the host CPU are written to /tmp/perf-PID.map, where perf looks for them.",
        changes_code: false,
        trusted_only: true,
        parse: |t, v| on_or_off(v).map(|wanted| t.perf_map = wanted),
    },
    Row {
        name: "SINTER_JIT_LEVEL",
        kind: "0-4",
        default: "",
        doc: "Optimisation level of the CUDA driver's assembler. Lower ones make slower code sooner. Unset: the driver's own, 4.",
        changes_code: true,
        trusted_only: false,
        parse: |t, v| jit_level(v).map(|level| t.jit_level = Some(level)),
    },
    Row {
        name: "SINTER_VULKAN_VALIDATION",
        kind: "on|off",
        default: "off",
        doc: "Whether Vulkan's validation layer checks the calls of the driver vulkan and reports its findings in the log. The layer must be installed.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| on_or_off(v).map(|wanted| t.vulkan_validation = wanted),
    },
    Row {
        name: "SINTER_STDPAR_DEVICE",
        kind: "device number or driver",
        default: "",
        doc: "Where the parallel algorithms of ISO C++ run (sinter-cc --stdpar): the device of this number, or the \
            first one of this driver. Unset: the first device that shares memory with the program.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| stdpar_device(v).map(|device| t.stdpar.device = Some(device)),
    },
    Row {
        name: "SINTER_STDPAR_MEMORY",
        kind: "auto|shared",
        default: "auto",
        doc: "The memory that parallel algorithms of ISO C++ use on a device. auto: all that it reaches; shared: \
            shared allocations alone, also on the CPU, which finds what would not run on a GPU.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| one_of(v, &[("auto", false), ("shared", true)]).map(|only| t.stdpar.only_shared = only),
    },
    Row {
        name: "SINTER_STDPAR_POINTERS",
        kind: "checked|trusted",
        default: "checked",
        doc: "What is assumed of pointers that lie in memory where a device reaches only shared memory. checked: \
            kernels that follow them run on the CPU, unless the runtime finds the pointers before; trusted: they lead \
            to shared memory, and a wrong one ends the program.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| {
            one_of(v, &[("checked", false), ("trusted", true)]).map(|trusts| t.stdpar.trusts_pointers = trusts)
        },
    },
    Row {
        name: "SINTER_STDPAR_GROUP_SIZE",
        kind: "1-1024",
        default: "",
        doc: "Work-items that share a part of a range in parallel algorithms of ISO C++, a power of two. Unset: 1 on \
            a CPU, 256 on other devices.",
        changes_code: false,
        trusted_only: false,
        parse: |t, v| group_size(v).map(|size| t.stdpar.group_size = Some(size)),
    },
];
