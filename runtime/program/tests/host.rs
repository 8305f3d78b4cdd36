//! Buffers, arguments and launches over queues that run their commands immediately in host memory.
//!
//! *Invariant:* the queues record their dependencies; memory that still exists at the end was
//! leaked.
#![allow(clippy::unwrap_used, reason = "a test says what it expects by unwrapping")]

use sinter_program::{
    Argument, ArgumentMismatch, ArgumentType, Buffer, Constants, Layout, MemoryKind, Mistake, ParameterKind, Place,
    Profile, Queue,
};
use std::{
    alloc,
    collections::HashMap,
    ffi::c_void,
    ptr::null_mut,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

/// A device that records the sizes of its allocations by address.
struct Device {
    number: u32,
    memory: Mutex<HashMap<usize, usize>>,
}

#[derive(Clone)]
struct Immediate {
    device: Arc<Device>,
    last: Arc<AtomicU64>,
    waited_for: Arc<Mutex<Vec<u64>>>,
}

#[derive(Debug, PartialEq)]
enum Refused {
    Mistake(Mistake),
    ArgumentMismatch(ArgumentMismatch),
}

impl From<Mistake> for Refused {
    fn from(mistake: Mistake) -> Self {
        Refused::Mistake(mistake)
    }
}

impl Device {
    fn new(number: u32) -> Arc<Self> {
        Arc::new(Device { number, memory: Mutex::default() })
    }
}

impl Immediate {
    fn new(device: &Arc<Device>) -> Self {
        Immediate { device: Arc::clone(device), last: Arc::default(), waited_for: Arc::default() }
    }

    fn submitted(&self) -> Result<u64, Refused> {
        Ok(self.last.fetch_add(1, Ordering::Relaxed) + 1)
    }
}

fn layout_of(size: usize) -> alloc::Layout {
    alloc::Layout::from_size_align(size, 64).unwrap()
}

// SAFETY: a command is complete when the method that submits it returns, and the allocator owns the
// memory.
unsafe impl Queue for Immediate {
    type Error = Refused;
    type Ticket = u64;
    type Device = Device;
    type Owner = Arc<Device>;

    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.last, &other.last)
    }

    fn owner(&self) -> &Arc<Device> {
        &self.device
    }

    fn number(device: &Device) -> u32 {
        device.number
    }

    fn reaches(&self, device: &Device, _kind: MemoryKind) -> bool {
        device.number == self.device.number
    }

    fn allocate(device: &Arc<Device>, _kind: MemoryKind, size: usize) -> Result<*mut c_void, Refused> {
        if size == 0 {
            return Ok(null_mut());
        }
        // SAFETY: the size is not 0.
        let pointer = unsafe { alloc::alloc(layout_of(size)) };
        device.memory.lock().unwrap().insert(pointer.addr(), size);
        Ok(pointer.cast())
    }

    unsafe fn free(device: &Device, pointer: *mut c_void) {
        let size = device.memory.lock().unwrap().remove(&pointer.addr()).unwrap();
        // SAFETY: allocated above with this size.
        unsafe { alloc::dealloc(pointer.cast(), layout_of(size)) };
    }

    unsafe fn submit_fill(&self, to: *mut c_void, pattern: &[u8], count: usize) -> Result<u64, Refused> {
        for number in 0..count {
            let to = to.wrapping_byte_add(number * pattern.len()).cast();
            // SAFETY: the destination holds `count` patterns.
            unsafe { pattern.as_ptr().copy_to_nonoverlapping(to, pattern.len()) };
        }
        self.submitted()
    }

    unsafe fn submit_copy(&self, to: *mut c_void, from: *const c_void, size: usize) -> Result<u64, Refused> {
        // SAFETY: the same contract, upheld by the caller.
        unsafe { from.cast::<u8>().copy_to_nonoverlapping(to.cast(), size) };
        self.submitted()
    }

    fn depend(&self, _other: &Self, ticket: u64) -> Result<(), Refused> {
        self.waited_for.lock().unwrap().push(ticket);
        Ok(())
    }

    fn wait(&self, _ticket: u64) -> Result<(), Refused> {
        Ok(())
    }

    fn settle(&self, _ticket: u64) -> bool {
        true
    }

    fn is_complete(&self, _ticket: u64) -> Result<bool, Refused> {
        Ok(true)
    }

    fn profile(&self, _ticket: u64) -> Result<Profile, Refused> {
        Ok(Profile::default())
    }
}

sinter_program::queue_methods!(Immediate, Refused);

fn places(kinds: &[(u32, u32, ParameterKind)]) -> Vec<Place> {
    kinds.iter().map(|&(offset, size, kind)| Place { offset, ty: ArgumentType { kind, size } }).collect()
}

/// Launches a kernel with a pointer and, after padding, an integer; returns its block.
fn launch(queue: &Immediate, size: usize, arguments: &[Argument<'_, Immediate>]) -> Result<Vec<u8>, Refused> {
    let places = places(&[(0, 8, ParameterKind::Pointer), (16, 4, ParameterKind::Integer)]);
    let (layout, mut seen) = (Layout { places: places.into_iter(), size }, Vec::new());
    layout.launch(queue, arguments, Refused::ArgumentMismatch, |block| {
        seen = block.to_vec();
        queue.submitted()
    })?;
    Ok(seen)
}

#[test]
fn arguments_lie_where_their_parameters_do() {
    let queue = Immediate::new(&Device::new(0));
    let mut buffer = Buffer::<u32, _>::zeroed(&queue, MemoryKind::Shared, 4).unwrap();
    let address = buffer.as_ptr().addr().to_ne_bytes();
    // The first block fits the stack, the second does not.
    for size in [20, 1000] {
        let mut expected = vec![0; size];
        expected[..8].copy_from_slice(&address);
        expected[16..20].copy_from_slice(&7_u32.to_ne_bytes());
        let arguments = [Argument::from(&mut buffer), Argument::from(7_u32)];
        assert_eq!(launch(&queue, size, &arguments), Ok(expected));
    }
}

#[test]
fn arguments_that_do_not_fit_are_said_in_the_words_of_the_parameters() {
    let queue = Immediate::new(&Device::new(0));
    let sentence = |arguments: &[Argument<'_, Immediate>]| match launch(&queue, 20, arguments) {
        Err(Refused::ArgumentMismatch(misfit)) => misfit.to_string(),
        other => panic!("{other:?}"),
    };
    let pointer = std::ptr::null::<u8>();
    assert_eq!(sentence(&[Argument::from(pointer)]), "takes 2 arguments (a pointer, integer of 4 bytes), 1 were given");
    assert_eq!(
        sentence(&[Argument::from(pointer), Argument::from(1.5_f64)]),
        "takes integer of 4 bytes as argument 1, floating-point of 8 bytes was given"
    );
    assert_eq!(
        sentence(&[Argument::from(pointer), Argument::bytes(&[0; 4])]),
        "takes integer of 4 bytes as argument 1, other-by-value of 4 bytes was given"
    );
    assert_eq!(queue.last.load(Ordering::Relaxed), 0, "nothing was submitted");
}

#[test]
fn a_write_waits_for_reads_and_a_read_for_the_last_write() {
    let device = Device::new(0);
    let [first, second] = [0; 2].map(|_| Immediate::new(&device));
    let mut from = Buffer::<u8, _>::zeroed(&first, MemoryKind::Device, 4).unwrap();
    let mut to = Buffer::<u8, _>::zeroed(&second, MemoryKind::Device, 4).unwrap();
    first.fill(&mut from, 1).unwrap();
    second.copy(&mut to, &from).unwrap();
    // The fill of `to` has ticket 1 of the second queue, that of `from` ticket 2 of the first.
    assert_eq!(*second.waited_for.lock().unwrap(), [1, 2]);
    first.waited_for.lock().unwrap().clear();
    first.fill(&mut from, 2).unwrap();
    assert_eq!(*first.waited_for.lock().unwrap(), [2, 2], "the fill before, and the copy on the other queue");
    assert_eq!(second.read_vec(&to).unwrap(), [1; 4]);
}

#[test]
fn memory_is_freed_and_misuse_is_refused() {
    let (device, other) = (Device::new(0), Device::new(1));
    let (queue, stranger) = (Immediate::new(&device), Immediate::new(&other));
    let mut buffer = Buffer::from_slice(&queue, MemoryKind::Device, &[1_u16, 2, 3]).unwrap();
    assert_eq!(buffer.as_slice(), Err(Refused::Mistake(Mistake::NotLent)));
    assert_eq!(queue.write(&mut buffer, &[1]), Err(Refused::Mistake(Mistake::Lengths { buffer: 3, other: 1 })));
    assert_eq!(stranger.read_vec(&buffer), Err(Refused::Mistake(Mistake::OtherDevice { ours: 0, theirs: 1 })));
    let length = usize::MAX / 4;
    let too_large = Buffer::<u64, _>::zeroed(&queue, MemoryKind::Device, length).map(drop);
    assert_eq!(too_large, Err(Refused::Mistake(Mistake::TooLarge { length })));
    drop(buffer);
    assert!(device.memory.lock().unwrap().is_empty());
}

#[test]
fn a_constant_has_its_last_value() {
    let mut constants = Constants::default();
    constants.set("tile", 1_u8);
    constants.set("step", 2_u16);
    constants.set("tile", 3_u8);
    let (step, tile) = (2_u16.to_ne_bytes(), [3]);
    assert_eq!(constants.iter().collect::<Vec<_>>(), [("step", &step[..]), ("tile", &tile[..])]);
}
