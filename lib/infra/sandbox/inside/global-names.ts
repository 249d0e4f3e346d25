export const OF_EXTRAS = [
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'atob',
  'btoa',
  'structuredClone',
] as const;

export const OF_WEB = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'CryptoKey',
  'CustomEvent',
  'DOMException',
  'Event',
  'EventTarget',
  'File',
  'FormData',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoderStream',
  'TextEncoderStream',
  'TransformStream',
  'WritableStream',
  'fetch',
] as const;

export const OF_TIMERS = [
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'setImmediate',
  'setInterval',
  'setTimeout',
] as const;

/** What the Web and Node offer beside what V8 has. */
export const GLOBALS = [
  ...OF_EXTRAS,
  ...OF_WEB,
  ...OF_TIMERS,
  'Buffer',
  'CompressionStream',
  'DecompressionStream',
  'console',
  'crypto',
  'performance',
  'process',
  'queueMicrotask',
] as const;

export type GlobalName = (typeof GLOBALS)[number];
