import { SANDBOX_LIMITS } from '../host/limits.ts';
import { host } from './host.ts';
import { toText } from './primordials.ts';

export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    return host('encode', limited(text));
  }
}

type DecoderOptions = { fatal?: boolean; ignoreBOM?: boolean };

export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;

  constructor(label: unknown = 'utf-8', options: DecoderOptions = {}) {
    const name = toText(label);
    const encoding = name.length <= 100 ? host('encoding', name) : undefined;
    if (encoding === undefined) throw new RangeError('TextDecoder: unknown encoding');
    this.encoding = encoding;
    this.fatal = options.fatal === true;
    this.ignoreBOM = options.ignoreBOM === true;
  }

  decode(input: ArrayBuffer | ArrayBufferView = new Uint8Array(), options: { stream?: boolean } = {}): string {
    if (options.stream) throw new TypeError('TextDecoder: streams are not supported in a bot');
    const isView = ArrayBuffer.isView(input);
    const bytes = isView ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
    if (bytes.byteLength > SANDBOX_LIMITS.webBytes) throw tooLong();
    // A view of a large buffer would cross with all of the buffer.
    const text = host('decode', bytes.slice(), this.encoding, this.fatal, this.ignoreBOM);
    return text ?? refuse(`TextDecoder: the bytes are not ${this.encoding}`);
  }
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
