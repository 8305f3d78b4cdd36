//! The loader and its instance.
//!
//! In: the library's path, or nothing. Out: an instance of Vulkan 1.3. *Invariant:* the library
//! stays loaded for the rest of the process; the instance ends with the last device, unless the
//! process exits or is a forked child.

use crate::{exit, failure::called};
use ash::{
    ext::{debug_utils, validation_features},
    vk,
};
use sinter_driver_common::{Failure, fork::Generation};
use sinter_dylib::{
    libloading::Library,
    open::{OpenError, open},
};
use std::{
    borrow::Cow,
    ffi::{CStr, c_void},
    mem::ManuallyDrop,
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

/// File names of the loader: the versioned one and the development link.
pub(crate) const NAMES: [&str; 2] = ["libvulkan.so.1", "libvulkan.so"];
const VALIDATION: &CStr = c"VK_LAYER_KHRONOS_validation";

/// The layer gives out handles of its own, and knows only functions of its time: others, such as
/// `vkMapMemory2KHR`, would pass these handles to the driver.
const NOT_VALIDATED: [vk::ValidationFeatureDisableEXT; 1] = [vk::ValidationFeatureDisableEXT::UNIQUE_HANDLES];

/// The function from which all others come.
const FIRST: &str = "vkGetInstanceProcAddr";

/// An instance.
pub(crate) struct Instance {
    pub(crate) instance: ash::Instance,
    messenger: Option<(debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    generation: Generation,
}

/// Reason why there is no instance.
pub(crate) enum NoInstance {
    NotOpened(OpenError),
    /// The loader's version, as Vulkan numbers versions.
    TooOld(u32),
    Failed(Failure),
}

impl From<Failure> for NoInstance {
    fn from(failure: Failure) -> Self {
        NoInstance::Failed(failure)
    }
}

/// Looks up the first function in a library, which then stays loaded.
fn resolve(library: Library) -> Result<vk::PFN_vkGetInstanceProcAddr, &'static str> {
    let library = ManuallyDrop::new(library);
    // SAFETY: every library that has the function defines it with this type.
    let found = unsafe { library.get::<vk::PFN_vkGetInstanceProcAddr>(FIRST.as_bytes()) };
    found.map(|function| *function).map_err(|_| FIRST)
}

fn entry(library: Option<&Path>) -> Result<ash::Entry, OpenError> {
    let get_instance_proc_addr = open(library, &NAMES, || NAMES.iter().map(PathBuf::from).collect(), resolve)?;
    let functions = ash::StaticFn { get_instance_proc_addr };
    // SAFETY: the loader's function does as Vulkan defines it, and the library stays loaded.
    Ok(unsafe { ash::Entry::from_static_fn(functions) })
}

/// Messages of the validation layer in this process.
static FINDINGS: AtomicUsize = AtomicUsize::new(0);

/// Number of messages of the validation layer in this process.
pub fn findings() -> usize {
    FINDINGS.load(Ordering::Relaxed)
}

/// Names and numbers of what places mappings, in messages of layers that are older.
const PLACING: [&str; 4] = ["VK_EXT_map_memory_placed", "VK_KHR_map_memory2", "(1000272000)", "(1000272001)"];

/// True for messages of a layer that does not know an extension.
fn is_of_unknown(text: &str) -> bool {
    let is_unknown = ["is not supported by this layer", "a structure with unknown VkStructureType"];
    is_unknown.iter().any(|one| text.contains(one)) && PLACING.iter().any(|one| text.contains(one))
}

/// Reports a message of the validation layer.
unsafe extern "system" fn report(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a message whose text lives as long as the call.
    let text = unsafe { (*data).message_as_c_str() }.map_or(Cow::Borrowed("no text"), CStr::to_string_lossy);
    if is_of_unknown(&text) {
        tracing::debug!("Vulkan's layer is older than what the device has: {text}");
        return vk::FALSE;
    }
    FINDINGS.fetch_add(1, Ordering::Relaxed);
    if severity.contains(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR) {
        tracing::error!("Vulkan's validation: {text}");
    } else {
        tracing::warn!("Vulkan's validation: {text}");
    }
    vk::FALSE
}

fn has_layer(entry: &ash::Entry) -> bool {
    // SAFETY: the loader is open.
    let layers = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
    layers.iter().any(|layer| layer.layer_name_as_c_str() == Ok(VALIDATION))
}

fn has_validation_features(entry: &ash::Entry) -> bool {
    // SAFETY: the loader is open.
    let extensions = unsafe { entry.enumerate_instance_extension_properties(Some(VALIDATION)) }.unwrap_or_default();
    extensions.iter().any(|extension| extension.extension_name_as_c_str() == Ok(validation_features::NAME))
}

impl Instance {
    /// Opens the loader and creates an instance, with the validation layer if that is wanted and
    /// installed.
    pub(crate) fn create(library: Option<&Path>, validation: bool) -> Result<Self, NoInstance> {
        exit::prepare_return();
        let (entry, generation) = (entry(library).map_err(NoInstance::NotOpened)?, Generation::now());
        // SAFETY: the loader is open.
        let version = unsafe { entry.try_enumerate_instance_version() };
        let version = called("vkEnumerateInstanceVersion", version)?.unwrap_or(vk::API_VERSION_1_0);
        if version < vk::API_VERSION_1_3 {
            return Err(NoInstance::TooOld(version));
        }
        let validation = validation && has_layer_or_warn(&entry);
        let layers: Vec<_> = validation.then_some(VALIDATION.as_ptr()).into_iter().collect();
        let has_features = validation && has_validation_features(&entry);
        let mut extensions: Vec<_> = validation.then_some(debug_utils::NAME.as_ptr()).into_iter().collect();
        extensions.extend(has_features.then_some(validation_features::NAME.as_ptr()));
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3).engine_name(c"Sinter");
        let info = vk::InstanceCreateInfo::default().application_info(&application);
        let mut info = info.enabled_layer_names(&layers).enabled_extension_names(&extensions);
        let mut features = vk::ValidationFeaturesEXT::default().disabled_validation_features(&NOT_VALIDATED);
        if has_features {
            info = info.push_next(&mut features);
        }
        // SAFETY: the names are null-terminated constants.
        let instance = called("vkCreateInstance", unsafe { entry.create_instance(&info, None) })?;
        exit::prepare();
        let messenger = if validation { messenger(&entry, &instance) } else { None };
        if messenger.is_some() {
            tracing::info!("the validation layer of Vulkan is active");
        }
        Ok(Instance { instance, messenger, generation })
    }

    /// True unless the process exits or is a forked child.
    pub(crate) fn is_usable(&self) -> bool {
        !exit::is_near() && self.generation.is_current()
    }
}

fn has_layer_or_warn(entry: &ash::Entry) -> bool {
    let found = has_layer(entry);
    if !found {
        tracing::warn!("Vulkan's validation layer is not installed: on Debian the package vulkan-validationlayers");
    }
    found
}

fn messenger(
    entry: &ash::Entry,
    instance: &ash::Instance,
) -> Option<(debug_utils::Instance, vk::DebugUtilsMessengerEXT)> {
    let functions = debug_utils::Instance::new(entry, instance);
    let severities = vk::DebugUtilsMessageSeverityFlagsEXT::ERROR | vk::DebugUtilsMessageSeverityFlagsEXT::WARNING;
    let types = vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION;
    let info = vk::DebugUtilsMessengerCreateInfoEXT::default().message_severity(severities).message_type(types);
    let info = info.pfn_user_callback(Some(report));
    // SAFETY: the instance was created with the extension; the function accesses only its
    // arguments.
    let messenger = unsafe { functions.create_debug_utils_messenger(&info, None) }.ok()?;
    Some((functions, messenger))
}

impl Drop for Instance {
    fn drop(&mut self) {
        if !self.is_usable() {
            return;
        }
        if let Some((functions, messenger)) = &self.messenger {
            // SAFETY: nobody else has the messenger.
            unsafe { functions.destroy_debug_utils_messenger(*messenger, None) };
        }
        // SAFETY: its devices are gone.
        unsafe { self.instance.destroy_instance(None) };
    }
}

#[cfg(test)]
mod tests {
    use super::is_of_unknown;

    #[test]
    fn only_what_an_older_layer_does_not_know_is_no_finding() {
        assert!(is_of_unknown("Device Extension VK_EXT_map_memory_placed is not supported by this layer."));
        let structure = "vkCreateDevice: pCreateInfo->pNext chain includes a structure with unknown VkStructureType";
        assert!(is_of_unknown(&format!("{structure} (1000272000); Allowed structures are")));
        assert!(!is_of_unknown(&format!("{structure} (1000272002); Allowed structures are")));
        assert!(!is_of_unknown("vkMapMemory2KHR: VK_EXT_map_memory_placed was not enabled"));
    }
}
