//! Presents the host CPU as a device.
//!
//! In: the properties of the CPU and the operating system. Out: one device that uses all of the
//! process's memory. *Invariant:* creating the driver starts no thread and reads at most a few
//! small files.

use crate::{
    cpuid::Cpuid,
    detect::host_target,
    group_size,
    kernel::HostKernel,
    level::CpuLevel,
    loader::{Loader, ObjectLoader},
    memory::HostMemory,
    nodes,
    pool::{Placement, Pool, usable_cpus},
    queue::HostQueue,
    timeline::Timeline,
};
use sinter_core::{CodeObject, HostTarget, Target, shape::LARGEST_GROUP};
use sinter_driver::{Device, DeviceFeatures, DeviceInfo, DeviceKind, Driver, DriverError, Kernel, Memory, Queue};
use sinter_driver_common::fork::Generation;
use std::{
    fs,
    io::Read,
    mem,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// Largest work-group that a program may request. Groups that we choose can be larger.
const MAX_GROUP: u64 = LARGEST_GROUP;
/// Bytes of local memory per work-group: it should fit into a core's second-level cache.
const LOCAL_MEMORY: u64 = 256 << 10;

/// Options of the host driver.
pub struct HostOptions {
    /// Number of threads for large commands; `None` uses as many as the process may.
    pub threads: Option<usize>,
    /// Keeps each of these threads on one CPU.
    pub pinned: bool,
    /// CPU level to generate code for; `None` uses all features of this CPU.
    pub level: Option<CpuLevel>,
    /// Publishes code in the process.
    pub loader: Box<dyn Loader>,
}

impl Default for HostOptions {
    fn default() -> Self {
        HostOptions { threads: None, pinned: false, level: None, loader: Box::<ObjectLoader>::default() }
    }
}

/// The driver for the host CPU.
pub struct HostDriver {
    device: Arc<HostDevice>,
}

impl HostDriver {
    /// Creates a driver that runs large commands on `threads` threads; `None` uses as many as the
    /// process may.
    pub fn new(threads: Option<usize>) -> Self {
        Self::with_options(HostOptions { threads, ..HostOptions::default() })
    }

    /// Creates a driver with these options.
    pub fn with_options(options: HostOptions) -> Self {
        let HostOptions { threads, pinned, level, loader } = options;
        let placement = Placement { pinned, cpus: None };
        let (cpu, pool) = (limited(Cpuid::read(), level), Arc::new(Pool::new(threads, placement.clone())));
        let info = Arc::new(describe(&cpu, pool.threads()));
        let memory = Arc::new(HostMemory::new(info.name.clone(), info.max_allocation));
        let target = Target::Host(host_target(&cpu));
        let (threads, pool) = (pool.threads(), Mutex::new((Generation::now(), pool)));
        let loader = Arc::from(loader);
        HostDriver {
            device: Arc::new(HostDevice { info, target, memory, threads, placement, is_part: false, pool, loader }),
        }
    }
}

/// The CPU reduced to a level; unchanged if it lacks a feature of the level.
fn limited(cpu: Cpuid, level: Option<CpuLevel>) -> Cpuid {
    let Some(level) = level else { return cpu };
    level.limit(&cpu).unwrap_or_else(|| {
        let (wanted, found) = (level.name(), CpuLevel::of(&cpu).name());
        tracing::warn!("code for {wanted} would not run on this CPU, which has {found}: it gets code for itself");
        cpu
    })
}

impl Driver for HostDriver {
    fn name(&self) -> &'static str {
        "host"
    }

    fn devices(&self) -> Result<Vec<Arc<dyn Device>>, DriverError> {
        Ok(vec![Arc::clone(&self.device) as Arc<dyn Device>])
    }

    fn absence(&self) -> Option<String> {
        None
    }
}

struct HostDevice {
    info: Arc<DeviceInfo>,
    target: Target,
    memory: Arc<HostMemory>,
    threads: usize,
    placement: Placement,
    is_part: bool,
    pool: Mutex<(Generation, Arc<Pool>)>,
    loader: Arc<dyn Loader>,
}

impl HostDevice {
    /// The pool of this process. A forked child needs a new one, because the parent's threads do
    /// not exist in it.
    fn pool(&self) -> Arc<Pool> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if !pool.0.is_current() {
            let own = Arc::new(Pool::new(Some(self.threads), self.placement.clone()));
            let inherited = mem::replace(&mut *pool, (Generation::now(), own));
            // Dropping it would wait for locks held by threads that do not exist in this process.
            mem::forget(inherited);
        }
        Arc::clone(&pool.1)
    }

    /// The usable CPUs of each NUMA node. A part has none: it is on one node, or the system places
    /// its threads.
    fn nodes(&self) -> Vec<Vec<usize>> {
        if self.is_part { Vec::new() } else { nodes::read(Path::new(nodes::FOLDER), &usable_cpus()) }
    }

    /// A device with threads of its own.
    fn with_threads(&self, threads: usize, placement: Placement) -> Arc<dyn Device> {
        let units = u32::try_from(threads).unwrap_or(u32::MAX);
        Arc::new(HostDevice {
            info: Arc::new(DeviceInfo { compute_units: units, ..DeviceInfo::clone(&self.info) }),
            target: self.target.clone(),
            memory: Arc::clone(&self.memory),
            threads,
            placement: placement.clone(),
            is_part: true,
            pool: Mutex::new((Generation::now(), Arc::new(Pool::new(Some(threads), placement)))),
            loader: Arc::clone(&self.loader),
        })
    }
}

impl Device for HostDevice {
    fn info(&self) -> &DeviceInfo {
        &self.info
    }

    fn target(&self) -> &Target {
        &self.target
    }

    fn load(&self, code: &CodeObject) -> Result<Arc<dyn Kernel>, DriverError> {
        let kernel = HostKernel::load(&self.info.name, self.loader.as_ref(), code)?;
        Ok(Arc::new(kernel))
    }

    fn create_queue(&self) -> Result<Arc<dyn Queue>, DriverError> {
        let pool = self.pool();
        pool.warm_up();
        let timeline = Timeline::new(self.info.name.clone(), pool);
        Ok(Arc::new(HostQueue::new(Arc::clone(&self.info), timeline)))
    }

    fn choose_group_size(&self, global: [u64; 3]) -> [u32; 3] {
        group_size::choose(global, self.threads)
    }

    fn memory(&self) -> &dyn Memory {
        self.memory.as_ref()
    }

    /// The system places the threads of a part, because pinned ones would share the first CPUs with
    /// those of others.
    fn part(&self, units: u32) -> Result<Arc<dyn Device>, DriverError> {
        Ok(self.with_threads(units as usize, Placement::default()))
    }

    fn node_count(&self) -> u32 {
        self.nodes().len() as u32
    }

    /// Threads stay on the CPUs of the node.
    fn part_of_node(&self, node: u32) -> Result<Arc<dyn Device>, DriverError> {
        let Some(cpus) = self.nodes().into_iter().nth(node as usize) else {
            let (device, feature) = (self.info.name.clone(), format!("a part of NUMA node {node}, which it lacks"));
            return Err(DriverError::Unsupported { device, feature });
        };
        let threads = cpus.len().min(self.threads);
        Ok(self.with_threads(threads, Placement { cpus: Some(cpus), ..self.placement.clone() }))
    }
}

fn describe(cpu: &Cpuid, threads: usize) -> DeviceInfo {
    let memory = memory_size();
    let brand = cpu.brand();
    let (vendor, vendor_id) = vendor(&cpu.vendor());
    DeviceInfo {
        name: if brand.is_empty() { format!("{} CPU", std::env::consts::ARCH) } else { brand },
        vendor,
        vendor_id,
        driver: "host",
        driver_version: env!("CARGO_PKG_VERSION").to_owned(),
        kind: DeviceKind::Cpu,
        compute_units: u32::try_from(threads).unwrap_or(u32::MAX),
        max_work_group_size: MAX_GROUP,
        max_work_item_sizes: [MAX_GROUP; 3],
        global_memory: memory,
        local_memory: LOCAL_MEMORY,
        max_allocation: memory,
        clock_mhz: clock(),
        cache_line: cache_line(),
        sub_group_sizes: HostTarget::SUB_GROUPS.map(u64::from).to_vec(),
        features: features(),
    }
}

/// Name and PCI ID of a vendor.
fn vendor(signature: &str) -> (String, u32) {
    match signature {
        "GenuineIntel" => ("Intel".to_owned(), 0x8086),
        "AuthenticAMD" => ("AMD".to_owned(), 0x1022),
        "" => ("unknown".to_owned(), 0),
        other => (other.to_owned(), 0),
    }
}

/// Half precision is converted by the translator where the CPU does not.
fn features() -> DeviceFeatures {
    let usm = DeviceFeatures::USM_DEVICE | DeviceFeatures::USM_HOST | DeviceFeatures::USM_SHARED;
    let numbers = DeviceFeatures::FP64 | DeviceFeatures::FP16 | DeviceFeatures::SUBNORMALS;
    DeviceFeatures(numbers | usm | DeviceFeatures::USM_SYSTEM | DeviceFeatures::ATOMIC64 | DeviceFeatures::TIMES)
}

/// Bytes of memory that the process may use: the machine's, or less in a control group.
fn memory_size() -> u64 {
    let machine = sysconf(libc::_SC_PHYS_PAGES).zip(sysconf(libc::_SC_PAGE_SIZE)).map(|(pages, size)| pages * size);
    let limit = fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    [machine, limit].into_iter().flatten().min().unwrap_or(1 << 30)
}

fn cache_line() -> u32 {
    sysconf(libc::_SC_LEVEL1_DCACHE_LINESIZE).map_or(64, |size| size as u32)
}

fn sysconf(name: i32) -> Option<u64> {
    // SAFETY: `sysconf` only reads, and returns -1 for an unknown name.
    let value = unsafe { libc::sysconf(name) };
    u64::try_from(value).ok().filter(|&value| value > 0)
}

/// Clock in MHz: from the frequency driver, or else as the kernel measured it; 0 if neither is
/// known.
fn clock() -> u32 {
    let khz = fs::read_to_string("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq").ok();
    let highest = khz.and_then(|text| text.trim().parse::<u32>().ok()).map(|khz| khz / 1000);
    highest.or_else(measured_clock).unwrap_or(0)
}

/// The first clock in `/proc/cpuinfo`. Reads only its beginning, because the kernel generates the
/// file core by core.
fn measured_clock() -> Option<u32> {
    let mut start = Vec::new();
    fs::File::open("/proc/cpuinfo").ok()?.take(2048).read_to_end(&mut start).ok()?;
    let text = String::from_utf8_lossy(&start);
    let line = text.lines().find(|line| line.starts_with("cpu MHz"))?;
    line.split(':').nth(1)?.trim().parse::<f64>().ok().map(|mhz| mhz as u32)
}
