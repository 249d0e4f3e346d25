import { host } from './host.ts';

export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    return host('encode', String(text));
  }
}

type DecoderOptions = { fatal?: boolean; ignoreBOM?: boolean };

export class TextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;

  constructor(label: unknown = 'utf-8', options: DecoderOptions = {}) {
    this.encoding = host('encoding', String(label));
    this.fatal = options.fatal === true;
    this.ignoreBOM = options.ignoreBOM === true;
  }

  decode(input: ArrayBuffer | ArrayBufferView = new Uint8Array(), options: { stream?: boolean } = {}): string {
    if (options.stream) throw new TypeError('TextDecoder: streams are not supported in a bot');
    const isView = ArrayBuffer.isView(input);
    const bytes = isView ? new Uint8Array(input.buffer, input.byteOffset, input.byteLength) : new Uint8Array(input);
    // A view of a large buffer would cross with all of the buffer.
    return host('decode', bytes.slice(), this.encoding, this.fatal, this.ignoreBOM);
  }
}
