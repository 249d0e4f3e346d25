import { builtinModules } from 'node:module';
import { expect, it } from 'vitest';
import { BUILTINS, refusalOf } from './builtins.ts';

/** Of this release: a later one may have more names, which are then to be said here. */
const LISTED_AT = 'v24.21.0';
const whenListed = it.runIf(process.version === LISTED_AT);

/** Names that modules have in Node, and not in a bot. */
const NOT_HERE: Record<string, Record<string, string>> = {
  'files, sockets, processes, a terminal and a command line, or seen in no bot': {
    buffer: 'resolveObjectURL',
    path: '_makeLong matchesGlob toNamespacedPath',
    'path/posix': '_makeLong matchesGlob posix toNamespacedPath win32',
    perf_hooks: `
      Performance PerformanceEntry PerformanceMark PerformanceMeasure PerformanceObserver PerformanceObserverEntryList
      PerformanceResourceTiming constants createHistogram eventLoopUtilization monitorEventLoopDelay timerify`,
    url: 'fileURLToPath fileURLToPathBuffer pathToFileURL',
    util: `
      aborted convertProcessSignalToExitCode diff getCallSites getSystemErrorMap getSystemErrorMessage getSystemErrorName
      parseEnv setTraceSigInt transferableAbortController transferableAbortSignal`,
    'util/types': 'isEventTarget isKeyObject isProxy',
  },
  'what Node gave up': {
    assert: 'CallTracker',
    'assert/strict': 'CallTracker',
    buffer: 'SlowBuffer',
    events: 'usingDomains',
    url: 'Url resolveObject',
    util: '_errnoException _exceptionWithHostPort',
    zlib: 'codes',
  },
  'of the packages by which these are given, which do not have it': {
    assert: 'Assert partialDeepStrictEqual',
    'assert/strict': 'Assert partialDeepStrictEqual',
    buffer: 'kStringMaxLength transcode',
    events: 'EventEmitterAsyncResource',
    querystring: 'unescapeBuffer',
    stream: `
      _isArrayBufferView _isUint8Array _uint8ArrayToBuffer duplexPair getDefaultHighWaterMark isDestroyed isWritable
      setDefaultHighWaterMark`,
    'stream/web': `
      ReadableByteStreamController ReadableStreamBYOBReader
      ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader ReadableStreamTee TransformStreamDefaultController
      WritableStreamDefaultController WritableStreamDefaultWriter`,
    url: 'URLPattern domainToUnicode',
    util: 'MIMEParams MIMEType',
    zlib: `
      BrotliCompress BrotliDecompress Deflate DeflateRaw Gunzip Gzip Inflate InflateRaw Unzip ZstdCompress ZstdDecompress
      brotliCompress brotliCompressSync brotliDecompress brotliDecompressSync createBrotliCompress createBrotliDecompress
      createZstdCompress createZstdDecompress zstdCompress zstdCompressSync zstdDecompress zstdDecompressSync`,
  },
  'of the host’s cryptography no more than bots were seen to use': {
    crypto: `
      Certificate Cipheriv Decipheriv DiffieHellman DiffieHellmanGroup ECDH Hash Hmac Sign Verify X509Certificate argon2
      argon2Sync checkPrime checkPrimeSync createDiffieHellman createDiffieHellmanGroup createECDH decapsulate diffieHellman
      encapsulate generateKey generateKeySync generatePrime generatePrimeSync getCipherInfo getCiphers getCurves
      getDiffieHellman getFips privateEncrypt publicDecrypt randomUUIDv7 secureHeapUsed setEngine setFips`,
  },
};

/** Modules of Node that a bot does not get though they open nothing. */
const NO_MODULES = 'console constants domain path/win32 punycode sys trace_events wasi node:sea';

const list = (text: string) => text.trim().split(/\s+/);
const notHere = (name: string) => Object.values(NOT_HERE).flatMap((of) => (of[name] ? list(of[name]) : []));
const ofNode = Object.keys(BUILTINS).filter((name) => builtinModules.includes(name) && name !== 'process');

whenListed.each(ofNode)('what %s has in Node it has in a bot, or it is said why not', async (name) => {
  const names = Object.keys(await import(`node:${name}`)).filter((each) => each !== 'default');
  const [ours, said] = [list(BUILTINS[name]!), notHere(name)];
  const missing = names.filter((each) => !ours.includes(each) && !said.includes(each));
  expect(missing).toEqual([]);
});

it.each(ofNode)('nothing of %s is called lacking that a bot has', (name) => {
  const ours = list(BUILTINS[name]!);
  expect(notHere(name).filter((each) => ours.includes(each))).toEqual([]);
});

whenListed('every module of Node is given, or refused in words', () => {
  const left = builtinModules.filter((name) => !name.startsWith('_') && !Object.hasOwn(BUILTINS, name));
  const refused = left.filter((name) => refusalOf(name).includes('no files, sockets and processes'));
  expect(left.filter((name) => !refused.includes(name)).toSorted()).toEqual(list(NO_MODULES).toSorted());
});
