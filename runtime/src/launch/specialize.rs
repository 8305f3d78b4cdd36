//! Makes code for the values of arguments that launches repeat.
//!
//! In: a kernel in the table, and the values that its launches ask for. Out: another entry for the
//! same launches, which has code for those values as well. *Invariant:* no launch waits for this,
//! and nothing here reads memory of the program, which may unload the kernel at any time. After a
//! failure no further code for values is made for the kernel.
#![forbid(unsafe_code)]

use super::{
    Launcher,
    bound::{Bound, Leads},
    guard::Guard,
    pack::Variables,
    specials::{Special, Specials, Wish},
    table::HotKey,
    watch::Watch,
};
use crate::{
    background::{Job, Worker},
    code::{Values, WantedValues, tiers::JitMode},
    devices::DeviceEntry,
    error::RuntimeError,
    exit, forks,
    registry::descriptor::{Descriptor, Records},
    statistics::Reason,
};
use sinter_core::KernelConfig;
use std::sync::{Arc, Weak};

/// A kernel whose launches are observed.
struct Observed {
    key: HotKey,
    /// Stands for the kernel, whatever code it has.
    leads: Arc<Leads>,
    /// Address of its container.
    container: usize,
    config: KernelConfig,
    records: Records,
    /// Names and addresses of its device globals.
    globals: Vec<(String, usize)>,
    device: Arc<DeviceEntry>,
    watch: Arc<Watch>,
}

/// True if a kernel may get other code for some launches. Code of a vendor's library has to show
/// that it gains, and has variables of the device by its address.
fn may_change(device: &DeviceEntry, bound: &Bound) -> bool {
    let is_timed = || bound.kernel.metered(&Arc::default()).is_some();
    device.target().runs_in_process() || !bound.has_constants() && is_timed()
}

impl Launcher {
    /// Has the launches of a kernel observed, if code for values may be faster.
    pub(super) fn observed(
        &self,
        key: HotKey,
        (bound, config): (Bound, KernelConfig),
        kernel: &Descriptor<'_>,
        device: &Arc<DeviceEntry>,
        globals: &[usize],
    ) -> Bound {
        let is_fixed = self.specials == 0 || self.mode_of(&key).mode == JitMode::Require;
        if is_fixed || !may_change(device, &bound) {
            return bound;
        }
        let mut lost = Vec::new();
        let expected = || {
            let expected = self.kernels.expected_values(kernel.container.addr(), device, &config);
            let guards = |values: Vec<Values>| values.iter().filter_map(|one| Guard::of_values(kernel, one)).collect();
            lost = guards(expected.lost);
            guards(expected.gained)
        };
        let watch = Watch::of(kernel, &bound.kernel.entry().candidates, expected);
        let Some(watch) = watch.map(Arc::new) else { return bound };
        let observed = Arc::new(Observed {
            key,
            leads: Arc::clone(&bound.leads),
            container: kernel.container.addr(),
            config,
            records: Records::of(kernel),
            globals: bound.device_globals().iter().cloned().zip(globals.iter().copied()).collect(),
            device: Arc::clone(device),
            watch: Arc::clone(&watch),
        });
        if !device.target().runs_in_process() {
            exit::expect(exit::Moment::Chosen);
        }
        let launcher = Weak::clone(&self.own);
        let ask = move |wish: Wish| {
            if let Some(launcher) = launcher.upgrade() {
                forks::between_forks(|| launcher.ask(&observed, wish));
            }
        };
        bound.observed(Specials::new(watch, Arc::new(ask), lost))
    }

    /// Submits a job that makes code for values, or drops it.
    fn ask(&self, observed: &Arc<Observed>, wish: Wish) {
        let (launcher, observed, owner) = (Weak::clone(&self.own), Arc::clone(observed), observed.container);
        let run = move |worker| {
            let Some(launcher) = launcher.upgrade() else { return };
            match &wish {
                Wish::Make(guard) => launcher.make_special(&observed, guard, worker),
                Wish::Keep(guard) => launcher.keep_special(&observed, guard),
                Wish::Drop(guard) => launcher.drop_special(&observed, guard),
            }
        };
        self.background.submit(Job::for_values(owner, run));
    }

    fn make_special(&self, observed: &Observed, guard: &Guard, worker: Worker) {
        // A vendor's library, whose assembler is called here, must not end meanwhile.
        let is_foreign = !observed.device.target().runs_in_process();
        if is_foreign {
            exit::expect(exit::Moment::Complete);
        }
        let used = is_foreign.then(|| exit::Use::begin(exit::Purpose::Compilation));
        if matches!(used, Some(None)) {
            return;
        }
        match self.specialize(observed, guard, worker) {
            Ok(()) => observed.watch.opens(guard),
            Err(error) => tracing::debug!("no code for {guard}: {}", error.chain()),
        }
    }

    fn keep_special(&self, observed: &Observed, guard: &Guard) {
        let Observed { container, config, device, .. } = observed;
        self.kernels.note_values(*container, device, config, guard.arguments(), true);
        tracing::debug!(%guard, "code for these values gains");
    }

    fn drop_special(&self, observed: &Observed, guard: &Guard) {
        let Observed { key, leads, container, config, device, .. } = observed;
        self.change(key, leads, |bound| bound.without_special(guard));
        self.kernels.note_values(*container, device, config, guard.arguments(), false);
        tracing::debug!(%guard, "code for these values does not gain");
    }

    fn specialize(&self, observed: &Observed, guard: &Guard, worker: Worker) -> Result<(), RuntimeError> {
        let Observed { key, leads, container, config, device, .. } = observed;
        let Some(general) = self.bound(key, leads).filter(|bound| !bound.knows_special(guard)) else { return Ok(()) };
        let mut variant = general.record.variant.clone();
        variant.description += &format!(", if {guard}");
        let told = (&variant.clone(), Reason::Values);
        let wanted = WantedValues { container: *container, config, values: guard.arguments(), variant };
        let make = || self.kernels.specialize(device, wanted, worker.into());
        let Some(loaded) = self.told_of_other(device, told, make)? else { return Ok(()) };
        let Some(general) = self.bound(key, leads).filter(|bound| !bound.knows_special(guard)) else { return Ok(()) };
        let address = |name: &String| observed.globals.iter().find(|(known, _)| known == name).map(|(_, at)| *at);
        let globals: Option<Vec<_>> = loaded.kernel.entry().device_globals.iter().map(address).collect();
        let globals = globals.ok_or_else(|| RuntimeError::Internal {
            message: format!("code of `{}` for values uses other device globals", config.entry),
        })?;
        // Code for values is made where variables are never passed by value.
        let variables = Variables { addresses: globals, constants: Vec::new() };
        let code = general.special(loaded, &observed.records.descriptor(), &variables, &self.statistics)?;
        let trial = general.trial(&code);
        let special = Arc::new(Special { guard: guard.clone(), code, trial });
        self.change(key, leads, |bound| bound.with_special(&special, self.specials));
        tracing::debug!(%guard, "launches with these values have code of their own");
        Ok(())
    }
}
