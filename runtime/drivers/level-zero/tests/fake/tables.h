// The tables in which a loader finds a driver's functions (`ze_ddi.h` of loaders 1.8 and 1.32). New
// functions have only been added at the end of a table, so an index is the same in all versions
// that have it.

#define TABLE(name, body)                                                                                              \
  result zeGet##name##ProcAddrTable(uint32_t version, void **table) {                                                  \
    body;                                                                                                              \
    return 0;                                                                                                          \
  }
#define AT(place, function) table[place] = (void *)function
#ifdef OLD
#define SINCE(minor, place, function)
#else
#define SINCE(minor, place, function) do { if (version >= (0x10000 | (minor))) table[place] = (void *)function; } while (0)
#endif

TABLE(Global, { AT(0, zeInit); SINCE(10, 1, zeInitDrivers); })
TABLE(Driver, { AT(0, zeDriverGet); AT(1, zeDriverGetApiVersion); AT(2, zeDriverGetProperties); AT(4, zeDriverGetExtensionProperties);
                SINCE(6, 6, zeDriverGetLastErrorDescription); })
TABLE(Device, { AT(0, zeDeviceGet); AT(2, zeDeviceGetProperties); AT(3, zeDeviceGetComputeProperties); AT(4, zeDeviceGetModuleProperties);
                AT(5, zeDeviceGetCommandQueueGroupProperties); AT(6, zeDeviceGetMemoryProperties); AT(7, zeDeviceGetMemoryAccessProperties);
                AT(12, zeDeviceCanAccessPeer); })
TABLE(Context, { AT(0, zeContextCreate); AT(1, zeContextDestroy); })
TABLE(CommandList, {
  AT(1, zeCommandListCreateImmediate); AT(2, zeCommandListDestroy); AT(5, zeCommandListAppendWriteGlobalTimestamp);
  AT(6, zeCommandListAppendBarrier); AT(8, zeCommandListAppendMemoryCopy); AT(9, zeCommandListAppendMemoryFill);
  AT(10, zeCommandListAppendMemoryCopyRegion); AT(16, zeCommandListAppendMemoryPrefetch); AT(17, zeCommandListAppendMemAdvise);
  AT(18, zeCommandListAppendSignalEvent); AT(19, zeCommandListAppendWaitOnEvents); AT(22, zeCommandListAppendLaunchKernel);
  SINCE(6, 28, zeCommandListHostSynchronize); SINCE(9, 29, zeCommandListGetDeviceHandle); SINCE(9, 30, zeCommandListGetContextHandle);
  SINCE(9, 33, zeCommandListIsImmediate); SINCE(17, 42, zeCommandListImmediateGetFlags);
})
TABLE(EventPool, { AT(0, zeEventPoolCreate); AT(1, zeEventPoolDestroy); })
TABLE(Event, { AT(0, zeEventCreate); AT(1, zeEventDestroy); AT(3, zeEventHostSynchronize); AT(4, zeEventQueryStatus); AT(5, zeEventHostReset); })
TABLE(Module, { AT(0, zeModuleCreate); AT(1, zeModuleDestroy); AT(3, zeModuleGetNativeBinary); })
TABLE(ModuleBuildLog, { AT(0, zeModuleBuildLogDestroy); AT(1, zeModuleBuildLogGetString); })
TABLE(Kernel, { AT(0, zeKernelCreate); AT(1, zeKernelDestroy); AT(3, zeKernelSetGroupSize); AT(4, zeKernelSuggestGroupSize);
                AT(6, zeKernelSetArgumentValue); AT(7, zeKernelSetIndirectAccess); AT(10, zeKernelGetProperties); })
TABLE(Mem, { AT(0, zeMemAllocShared); AT(1, zeMemAllocDevice); AT(2, zeMemAllocHost); AT(3, zeMemFree); AT(4, zeMemGetAllocProperties);
             AT(5, zeMemGetAddressRange); })
// Old loaders require the driver to have the other tables too, even empty ones, including those
// for tools.
#define EMPTY(name) result name##ProcAddrTable(uint32_t version, void **table) { return 0; }
EMPTY(zeGetCommandQueue) EMPTY(zeGetDeviceExp) EMPTY(zeGetEventExp) EMPTY(zeGetFabricEdgeExp) EMPTY(zeGetFabricVertexExp)
EMPTY(zeGetFence) EMPTY(zeGetImage) EMPTY(zeGetImageExp) EMPTY(zeGetKernelExp) EMPTY(zeGetPhysicalMem) EMPTY(zeGetSampler)
EMPTY(zeGetVirtualMem) EMPTY(zesGetDevice) EMPTY(zesGetDiagnostics) EMPTY(zesGetDriver) EMPTY(zesGetEngine)
EMPTY(zesGetFabricPort) EMPTY(zesGetFan) EMPTY(zesGetFirmware) EMPTY(zesGetFrequency) EMPTY(zesGetLed) EMPTY(zesGetMemory)
EMPTY(zesGetPerformanceFactor) EMPTY(zesGetPower) EMPTY(zesGetPsu) EMPTY(zesGetRas) EMPTY(zesGetScheduler) EMPTY(zesGetStandby)
EMPTY(zesGetTemperature) EMPTY(zetGetCommandList) EMPTY(zetGetContext) EMPTY(zetGetDebug) EMPTY(zetGetDevice) EMPTY(zetGetKernel)
EMPTY(zetGetMetricGroupExp) EMPTY(zetGetMetricGroup) EMPTY(zetGetMetric) EMPTY(zetGetMetricQueryPool) EMPTY(zetGetMetricQuery)
EMPTY(zetGetMetricStreamer) EMPTY(zetGetModule) EMPTY(zetGetTracerExp)
