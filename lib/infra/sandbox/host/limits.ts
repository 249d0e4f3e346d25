/** What a bot may take. Sizes are UTF-8 bytes. Published in api.md §5.8. */
export const SANDBOX_LIMITS = {
  sourceBytes: 5 * 1024 * 1024,
  resultBytes: 6 * 1024 * 1024,
  callBytes: 6 * 1024 * 1024,
  logBytes: 64 * 1024,
  pendingCalls: 256,
  pendingTimers: 1000,
  errorCharacters: 16 * 1024,
} as const;

/** The methods of `medplum` inside a bot. Nothing else crosses the bridge. */
export const BRIDGE_METHODS = [
  'createResource',
  'createResourceIfNoneExist',
  'readResource',
  'readReference',
  'updateResource',
  'patchResource',
  'deleteResource',
  'search',
  'searchOne',
  'searchResources',
] as const;
