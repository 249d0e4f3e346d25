const NAMES = [
  'ByteLengthQueuingStrategy',
  'CompressionStream',
  'CountQueuingStrategy',
  'DecompressionStream',
  'ReadableStream',
  'TextDecoderStream',
  'TextEncoderStream',
  'TransformStream',
  'WritableStream',
] as const;

/** https://nodejs.org/api/webstreams.html: those that a bot has without it. */
export const streams = Object.fromEntries(NAMES.map((name) => [name, globalThis[name]]));
