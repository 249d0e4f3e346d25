/**
 * What a bot may take. Sizes are UTF-8 bytes. Published in api.md §5.8. The bot's own context keeps them so that its author reads a clear
 * error; its process holds them (runner/host.ts), since a bot may change whatever stands in its context.
 */
export const SANDBOX_LIMITS = {
  sourceBytes: 5 * 1024 * 1024,
  /** What that becomes: a few lines can say many. */
  bundleBytes: 16 * 1024 * 1024,
  sourceMapBytes: 32 * 1024 * 1024,
  resultBytes: 6 * 1024 * 1024,
  /** An OperationOutcome, thrown or returned, and what of a Binary is not its data: the server parses these. */
  outcomeBytes: 256 * 1024,
  callBytes: 6 * 1024 * 1024,
  /** Values in the arguments of one call: the server parses them, and many small ones take longer than a large one. */
  callValues: 100_000,
  /** Of calls and results; as in a request (lib/protocol/json/json.ts). */
  jsonDepth: 100,
  logBytes: 64 * 1024,
  /** What a line of the log counts for beside its text. */
  logLineBytes: 8,
  pendingCalls: 256,
  /** Of calls that wait until others are answered, which the bot's own context keeps, and of their text. */
  waitingCalls: 5000,
  waitingCallBytes: 16 * 1024 * 1024,
  /** Of all calls that wait for their answer. */
  pendingCallBytes: 16 * 1024 * 1024,
  pendingTimers: 1000,
  errorCharacters: 16 * 1024,
  /** In lines of the source, whose files may have longer names than the bundle. */
  stackCharacters: 64 * 1024,
  stackLines: 50,
  urlCharacters: 1024 * 1024,
  /** What the Web functions for text and bytes take at once. */
  webBytes: 16 * 1024 * 1024,
  /** Of a key that a bot brings, as text. */
  keyCharacters: 8 * 1024,
  /** Of a request's body by `fetch`: in base64 it fits into a call. */
  fetchBytes: 4 * 1024 * 1024,
  /** Of its answer, unpacked. */
  fetchedBytes: 6 * 1024 * 1024,
} as const;

/** What crosses the bridge: `api` is any request to our own API, `library` a script of ours that a bot rarely needs, the others the most frequent requests, told in short. */
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
  'api',
  'library',
] as const;

/** All that may be asked by way of a call: those, and what the Web's own functions ask for. */
export const CALL_METHODS = [...BRIDGE_METHODS, 'fetch'] as const;
