import { SANDBOX_LIMITS } from '../host/limits.ts';
import { host } from './host.ts';
import { toText } from './primordials.ts';

export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    return host('encode', limited(text));
  }

  /** https://encoding.spec.whatwg.org/#dom-textencoder-encodeinto: as many whole characters as there is room for. */
  encodeInto(source: unknown, destination: Uint8Array): { read: number; written: number } {
    const text = toText(source);
    let [read, written] = [0, 0];
    while (read < text.length) {
      const point = text.codePointAt(read)!;
      const size = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
      if (written + size > destination.byteLength) break;
      written += size;
      read += size === 4 ? 2 : 1;
    }
    destination.set(this.encode(text.slice(0, read)));
    return { read, written };
  }
}

type DecoderOptions = { fatal?: boolean; ignoreBOM?: boolean };

export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  /** The beginning of a character whose end has not come yet. */
  #rest: Uint8Array = new Uint8Array();
  #isWithin = false;

  constructor(label: unknown = 'utf-8', options: DecoderOptions = {}) {
    const name = toText(label);
    const encoding = name.length <= 100 ? host('encoding', name) : undefined;
    if (encoding === undefined) throw new RangeError('TextDecoder: unknown encoding');
    this.encoding = encoding;
    this.fatal = options.fatal === true;
    this.ignoreBOM = options.ignoreBOM === true;
  }

  decode(input: ArrayBuffer | ArrayBufferView = new Uint8Array(), options: { stream?: boolean } = {}): string {
    if (options.stream && !/^(?:utf-|windows-|iso-|koi8-|macintosh|x-|ibm866)/.test(this.encoding))
      throw new TypeError('TextDecoder: in a bot no streams of encodings for East Asia are decoded');
    const isView = ArrayBuffer.isView(input);
    const bytes = isView ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
    if (bytes.byteLength > SANDBOX_LIMITS.webBytes) throw tooLong();
    const whole =
      options.stream || this.#isWithin || this.#rest.byteLength > 0
        ? this.#withRest(bytes, options.stream === true)
        : bytes;
    // A view of a large buffer would cross with all of the buffer.
    const text = host('decode', whole.slice(), this.encoding, this.fatal, this.ignoreBOM || this.#isWithin);
    this.#isWithin = options.stream === true && (this.#isWithin || whole.byteLength > 0);
    return text ?? refuse(`TextDecoder: the bytes are not ${this.encoding}`);
  }

  #withRest(bytes: Uint8Array, goesOn: boolean): Uint8Array {
    const all = new Uint8Array(this.#rest.byteLength + bytes.byteLength);
    all.set(this.#rest);
    all.set(bytes, this.#rest.byteLength);
    const end = goesOn ? all.byteLength - unfinished(all, this.encoding) : all.byteLength;
    this.#rest = all.slice(end);
    return all.subarray(0, end);
  }
}

/** How many bytes at the end are the beginning of a character. */
function unfinished(bytes: Uint8Array, encoding: string): number {
  if (encoding.startsWith('utf-16')) {
    const odd = bytes.byteLength % 2;
    const high = bytes[bytes.byteLength - odd - (encoding === 'utf-16le' ? 1 : 2)] ?? 0;
    return odd + ((high & 0xfc) === 0xd8 ? 2 : 0);
  }
  if (encoding !== 'utf-8') return 0;
  for (let back = 1; back <= 3 && back <= bytes.byteLength; back += 1) {
    const byte = bytes[bytes.byteLength - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** A text of a length that the process takes. */
export function limited(value: unknown): string {
  const text = toText(value);
  if (text.length > SANDBOX_LIMITS.webBytes) throw tooLong();
  return text;
}

export function refuse(message: string): never {
  throw new TypeError(message);
}

function tooLong(): RangeError {
  return new RangeError('More than 16 MiB at once');
}
