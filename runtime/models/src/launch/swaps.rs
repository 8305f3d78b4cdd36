//! Models of the table of loaded kernels.
//!
//! A kernel here is the number of its code. A launch takes the way of the library: it repeats the
//! last one, finds its kernel among those of its thread or in the table, or has it made.

use super::{
    bound::{Bound, Leads},
    shape::{LaunchShape, LaunchSize},
    table::{Entry, HotKey, HotTable},
    values::Digest,
};
use crate::{abi, code::variant::ShapeClass, device_globals::constants::Knowledge, explore, queue::place::Place};
use loom::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
};
use std::sync::Arc;

static KERNEL: abi::Kernel = abi::Kernel(0);
/// The container of the kernel, and one that it imports functions of.
static CONTAINERS: [abi::Container; 2] = [abi::Container(0), abi::Container(1)];

struct World {
    table: HotTable,
    constants: Arc<Knowledge>,
    leads: Arc<Leads>,
    /// Version of the functions that are linked into code now.
    imports: AtomicU64,
    /// A sign that one thread gives others.
    sign: AtomicU64,
    made: AtomicU64,
}

impl World {
    fn new() -> Arc<Self> {
        let constants = Arc::<Knowledge>::default();
        let (table, leads) = (HotTable::new(Arc::clone(&constants)), Arc::new(Leads));
        let [imports, sign, made] = [1, 0, 0].map(AtomicU64::new);
        Arc::new(World { table, constants, leads, imports, sign, made })
    }

    fn key() -> HotKey {
        HotKey::new(&raw const KERNEL, Place::new(0, None), ShapeClass, Digest)
    }

    fn bound(&self, code: u64) -> Bound {
        Bound { leads: Arc::clone(&self.leads), has_imports: false, has_constants: false, code }
    }

    /// Launches the kernel; `make` gives its code where it has none. Returns the code that runs.
    fn launch(&self, make: impl FnOnce() -> Bound) -> u64 {
        let place = Place::new(0, None);
        if let Some(code) = self.table.again(&raw const KERNEL, place, &LaunchSize, |bound, _| bound.code) {
            return code;
        }
        let make = |losses| {
            self.made.fetch_add(1, Ordering::Relaxed);
            Ok(self.table.insert(Self::key(), &raw const CONTAINERS[0], Entry::Kernel(make()), losses))
        };
        let code = self.table.with(Self::key(), make, |entry| match entry {
            Entry::Kernel(bound) => bound.code,
            Entry::Asks(_) => 0,
        });
        self.table.note(&Self::key(), LaunchSize, LaunchShape);
        code.expect("a kernel")
    }

    /// Replaces the kernel as upgrades do, unless it was forgotten.
    fn change(&self, change: impl Fn(u64) -> u64) {
        while let Some(old) = self.table.successor(&Self::key(), &self.leads) {
            let Entry::Kernel(bound) = &*old else { return };
            let new = Bound { code: change(bound.code), ..bound.clone() };
            if self.table.replace(&Self::key(), &old, Entry::Kernel(new)) {
                return;
            }
        }
    }

    fn signal(&self) {
        self.sign.store(1, Ordering::Release);
    }

    fn has_signal(&self) -> bool {
        self.sign.load(Ordering::Acquire) != 0
    }
}

fn spawn<R: 'static>(world: &Arc<World>, work: impl FnOnce(&World) -> R + 'static) -> thread::JoinHandle<R> {
    let world = Arc::clone(world);
    thread::spawn(move || work(&world))
}

/// A thread launches while its kernel is replaced. Launches after the swap run the new code, and
/// none goes back.
pub fn launches_after_a_swap_run_new_code() {
    explore(|| {
        let world = World::new();
        world.launch(|| world.bound(1));
        let launches = spawn(&world, |world| {
            let mut last = 0;
            for _ in 0..3 {
                let is_swapped = world.has_signal();
                let code = world.launch(|| world.bound(9));
                assert!(code >= last && (code == 2 || !is_swapped), "code {code} after {last}");
                last = code;
            }
        });
        world.change(|code| code + 1);
        world.signal();
        assert_eq!(world.launch(|| world.bound(9)), 2, "the thread that swaps");
        launches.join().expect("no panic");
    });
}

/// Two threads make a kernel, and each replaces it. It is made once, and no change is lost.
pub fn no_change_is_lost() {
    explore(|| {
        let world = World::new();
        let work = |world: &World| {
            world.launch(|| world.bound(1));
            world.change(|code| code * 2);
        };
        let other = spawn(&world, work);
        work(&world);
        other.join().expect("no panic");
        assert_eq!((world.made.load(Ordering::Relaxed), world.launch(|| world.bound(9))), (1, 4), "made, code");
    });
}

/// A library whose functions a kernel contains is unloaded while the kernel is made. Launches after
/// that do not run its functions.
pub fn unloaded_functions_do_not_run() {
    explore(|| {
        let world = World::new();
        let make = |world: &World| Bound { has_imports: true, ..world.bound(world.imports.load(Ordering::Acquire)) };
        let launches = spawn(&world, move |world| {
            for _ in 0..2 {
                let is_unloaded = world.has_signal();
                let imports = world.launch(|| make(world));
                assert!(!is_unloaded || imports == 2, "functions of a library that was unloaded run");
            }
        });
        // As the registry does first.
        world.imports.store(2, Ordering::Release);
        world.table.forget(&raw const CONTAINERS[1]);
        world.signal();
        assert_eq!(world.launch(|| make(&world)), 2, "the thread that losses");
        launches.join().expect("no panic");
    });
}

/// A kernel is forgotten while another thread replaces it. It does not come back.
pub fn what_is_forgotten_stays_forgotten() {
    explore(|| {
        let world = World::new();
        world.launch(|| world.bound(1));
        let upgrades = spawn(&world, |world| world.change(|code| code + 1));
        world.table.forget(&raw const CONTAINERS[0]);
        assert_eq!(world.launch(|| world.bound(5)), 5, "the kernel of another library in its place");
        upgrades.join().expect("no panic");
    });
}

/// A variable that kernels get by value may change unseen from now on, while a kernel is made.
/// Launches after that get its address.
pub fn changed_variables_are_not_passed_by_value() {
    explore(|| {
        let world = World::new();
        let make = |world: &World| {
            let has_constants = world.constants.are_known();
            Bound { has_constants, ..world.bound(if has_constants { 1 } else { 2 }) }
        };
        let launches = spawn(&world, move |world| {
            for _ in 0..2 {
                let is_lost = world.has_signal();
                let code = world.launch(|| make(world));
                assert!(!is_lost || code == 2, "an old value is passed");
            }
        });
        world.table.lose_constants();
        world.signal();
        assert_eq!(world.launch(|| make(&world)), 2, "the thread that asks for the address");
        launches.join().expect("no panic");
    });
}
