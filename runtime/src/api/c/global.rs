//! The one runtime of the process, and the one list of containers.
//!
//! *Invariant:* constructors touch the list only. The first call that needs a runtime creates it,
//! which reads the environment. It is never dropped, because destructors of the program may still
//! use it.
#![forbid(unsafe_code)]

use crate::{
    forks, log,
    registry::Registry,
    runtime::Runtime,
    settings::{self, DebugLevel, Environment, ReportTarget, Setting, StdparOptions},
    setup,
    statistics::{page::Facts, report},
    stdpar::Stdpar,
    trace,
};
use std::sync::{Arc, LazyLock, OnceLock};

struct Global {
    runtime: Arc<Runtime>,
    report: Option<ReportTarget>,
    /// For the report.
    facts: Facts,
    stdpar: StdparOptions,
}

static REGISTRY: LazyLock<Arc<Registry>> = LazyLock::new(Arc::default);
static GLOBAL: OnceLock<Global> = OnceLock::new();

/// The state of the process, which the first call creates. No other thread forks meanwhile.
#[inline]
fn global() -> &'static Global {
    GLOBAL.get().unwrap_or_else(|| forks::between_forks(|| GLOBAL.get_or_init(Global::from_environment)))
}

impl Global {
    fn from_environment() -> Self {
        let environment = Environment::current();
        let loaded = settings::read(&environment);
        log::install(loaded.tunables.debug_level);
        loaded.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        let mut options = setup::options(&loaded.tunables, &environment);
        if let Some(path) = &loaded.tunables.trace {
            trace::start(path);
        }
        if let Some(tool) = &loaded.tunables.ranges {
            trace::start_ranges(tool);
        }
        if loaded.tunables.report.is_some() {
            trace::start_totals();
        }
        if trace::records() {
            options.drivers = options.drivers.into_iter().map(trace::traced).collect();
        }
        let runtime = Arc::new(Runtime::new(options, Arc::clone(&REGISTRY)));
        let facts = Facts { settings: loaded.settings.iter().filter_map(Setting::given).collect() };
        Global { runtime, report: loaded.tunables.report, facts, stdpar: loaded.tunables.stdpar }
    }
}

impl Runtime {
    /// The runtime of the process; the first call creates it from the environment. Its containers
    /// are those of the C++ objects that are linked into the program and its libraries.
    pub fn global() -> Arc<Runtime> {
        Arc::clone(&global().runtime)
    }
}

/// Containers that constructors registered. Does not create the runtime.
pub(super) fn registry() -> &'static Registry {
    &REGISTRY
}

/// The runtime of the process, created on first use.
#[inline]
pub(super) fn runtime() -> &'static Runtime {
    &global().runtime
}

/// True if the log may have lines of level info. Before there is a runtime, the environment says
/// so, and none is created for it.
pub(super) fn may_log_info() -> bool {
    static SAID: OnceLock<bool> = OnceLock::new();
    let said = || settings::read(&Environment::current()).tunables.debug_level >= DebugLevel::Info;
    GLOBAL.get().is_some() || tracing::dispatcher::has_been_set() || *SAID.get_or_init(said)
}

/// The parallel algorithms of ISO C++ on that runtime.
pub(super) fn stdpar() -> Stdpar<'static> {
    let Global { runtime, stdpar, .. } = global();
    Stdpar { runtime, options: stdpar }
}

/// The runtime, or `None` if no call has needed one yet.
pub(super) fn existing() -> Option<&'static Runtime> {
    GLOBAL.get().map(|global| &*global.runtime)
}

/// Writes the requested report and completes the trace, if a runtime exists.
pub(super) fn write_report() {
    trace::finish();
    if let Some(Global { runtime, report: Some(target), facts, .. }) = GLOBAL.get() {
        report::write(runtime.variants(), target, facts);
    }
}
