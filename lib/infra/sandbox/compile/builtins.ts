const ASSERT = `
    AssertionError deepEqual deepStrictEqual doesNotMatch doesNotReject doesNotThrow equal fail ifError match
    notDeepEqual notDeepStrictEqual notEqual notStrictEqual ok rejects strict strictEqual throws`;

/**
 * What bots may import of Node, with the names that each has: those that make sense without files, sockets and processes. They stand in the
 * prelude (inside/node.ts); a name that is not there is refused at the deploy, with its line.
 */
export const BUILTINS: Readonly<Record<string, string>> = {
  assert: ASSERT,
  'assert/strict': ASSERT,
  buffer: `
    Blob Buffer File INSPECT_MAX_BYTES atob btoa constants isAscii isUtf8 kMaxLength`,
  crypto: `
    KeyObject constants createCipheriv createDecipheriv createHash createHmac createPrivateKey createPublicKey
    createSecretKey createSign createVerify generateKeyPair generateKeyPairSync getHashes getRandomValues hash hkdf hkdfSync pbkdf2
    pbkdf2Sync privateDecrypt publicEncrypt randomBytes randomFill randomFillSync randomInt randomUUID scrypt scryptSync
    sign subtle timingSafeEqual verify webcrypto`,
  events: `
    EventEmitter addAbortListener captureRejectionSymbol captureRejections defaultMaxListeners errorMonitor getEventListeners
    getMaxListeners init listenerCount on once setMaxListeners`,
  'form-data': '',
  'node-fetch': `
    AbortController AbortError Blob FetchError File FormData Headers Request Response fetch isRedirect`,
  path: `
    basename delimiter dirname extname format isAbsolute join normalize parse posix relative resolve sep win32`,
  'path/posix': `
    basename delimiter dirname extname format isAbsolute join normalize parse relative resolve sep`,
  perf_hooks: `
    performance`,
  process: `
    addListener arch argv browser cwd emit emitWarning env execArgv exitCode hrtime listenerCount listeners nextTick off on once pid
    platform prependListener release removeAllListeners removeListener setMaxListeners stderr stdout title uptime version versions`,
  querystring: `
    decode encode escape parse stringify unescape`,
  stream: `
    Duplex PassThrough Readable Stream Transform Writable addAbortSignal compose destroy
    finished isDisturbed isErrored isReadable pipeline promises`,
  'stream/consumers': `
    arrayBuffer blob buffer bytes json text`,
  'stream/promises': `
    finished pipeline`,
  'stream/web': `
    ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy DecompressionStream ReadableStream TextDecoderStream TextEncoderStream TransformStream
    WritableStream`,
  string_decoder: `
    StringDecoder`,
  timers: `
    clearImmediate clearInterval clearTimeout promises setImmediate setInterval setTimeout`,
  'timers/promises': `
    scheduler setImmediate setInterval setTimeout`,
  undici: `
    File FormData Headers Request Response fetch request`,
  url: `
    URL URLSearchParams domainToASCII format parse resolve urlToHttpOptions`,
  util: `
    TextDecoder TextEncoder _extend callbackify debug debuglog deprecate format formatWithOptions inherits inspect isArray isBoolean isBuffer
    isDate isDeepStrictEqual isError isFunction isNull isNullOrUndefined isNumber isObject isPrimitive
    isRegExp isString isSymbol isUndefined log parseArgs promisify stripVTControlCharacters styleText toUSVString types`,
  'util/types': `
    isAnyArrayBuffer isArgumentsObject isArrayBuffer isArrayBufferView isAsyncFunction isBigInt64Array isBigIntObject isBigUint64Array
    isBooleanObject isBoxedPrimitive isCryptoKey isDataView isDate isExternal isFloat16Array isFloat32Array isFloat64Array
    isGeneratorFunction isGeneratorObject isInt16Array isInt32Array isInt8Array isMap isMapIterator isModuleNamespaceObject isNativeError
    isNumberObject isPromise isRegExp isSet isSetIterator isSharedArrayBuffer isStringObject isSymbolObject isTypedArray isUint16Array
    isUint32Array isUint8Array isUint8ClampedArray isWeakMap isWeakSet`,
  zlib: `
    constants crc32 createDeflate createDeflateRaw createGunzip createGzip createInflate createInflateRaw
    createUnzip deflate deflateRaw deflateRawSync deflateSync gunzip gunzipSync gzip gzipSync inflate
    inflateRaw inflateRawSync inflateSync unzip unzipSync`,
};

/** Of Node, and not here: a bot has no files, sockets and processes of its own. */
const REFUSED =
  /^(?:node:)?(?:fs|net|tls|dgram|dns|http|https|http2|child_process|cluster|worker_threads|vm|os|inspector|repl|readline|tty|v8|module|async_hooks|diagnostics_channel|sqlite|test)(?:\/.*)?$/;
const SOCKETS: readonly string[] = [
  'ssh2-sftp-client',
  'ssh2',
  'basic-ftp',
  'ftp',
  'nodemailer',
  'pg',
  'mysql2',
  'ws',
  'ioredis',
];

/** The name of the module that a bot gets for this import; undefined where there is none. */
export function builtinOf(path: string): string | undefined {
  const name = path.replace(/^node:/, '').replace(/\/$/, '');
  return Object.hasOwn(BUILTINS, name) ? name : undefined;
}

/** Why a bot cannot import this, in words for its author. `locked`: the versions of its lock file, where files came with it. */
export function refusalOf(path: string, locked?: ReadonlyMap<string, string>): string {
  const text = `Cannot import "${path}": `;
  if (REFUSED.test(path)) {
    // A package that asks for these in Node may have another way for browsers, as axios has.
    const bundled = /^(?:node:)?https?$/.test(path)
      ? ', as a package like axios does that was bundled for browsers'
      : '';
    return `${text}a bot has no files, sockets and processes of its own; it calls others by fetch${bundled}`;
  }
  if (SOCKETS.includes(path)) return `${text}it opens sockets, and a bot has none; it calls others by fetch`;
  if (/^[./]/.test(path) && locked) return `${text}there is no such file among those of the bot`;
  if (locked) {
    const name = path
      .split('/')
      .slice(0, path.startsWith('@') ? 2 : 1)
      .join('/');
    const version = locked.get(`node_modules/${name}`);
    const inLock = version === undefined ? '' : ` in the ${version} of package-lock.json`;
    return `${text}it is not among the files of the bot; no package is fetched: deploy node_modules/${name} along${inLock}, or a bundle`;
  }
  return `${text}a bot can import "@medplum/core" and ${Object.keys(BUILTINS).join(', ')}`;
}

/** With its names, so that one that is not there is an error with its line. */
export function toModule(name: string): string {
  const names = BUILTINS[name]!.trim().split(/\s+/);
  return `const all = __library(${JSON.stringify(name)}); export default all; export const { ${names.join(', ')} } = all;`;
}

/** As `require` gives it. */
export function toRequired(name: string): string {
  return `module.exports = __library(${JSON.stringify(name)});`;
}
