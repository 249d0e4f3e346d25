import { TransformStream } from 'web-streams-polyfill';
import { TextDecoder, TextEncoder } from '../text.ts';

type DecoderOptions = ConstructorParameters<typeof TextDecoder>[1];

/** https://encoding.spec.whatwg.org/#interface-textdecoderstream */
export class TextDecoderStream {
  readonly encoding: string;
  readonly readable: TransformStream['readable'];
  readonly writable: TransformStream['writable'];

  constructor(label?: string, options?: DecoderOptions) {
    const decoder = new TextDecoder(label, options);
    const { readable, writable } = new TransformStream<Uint8Array, string>({
      transform: (bytes, controller) => put(decoder.decode(bytes, { stream: true }), controller),
      flush: (controller) => put(decoder.decode(), controller),
    });
    this.encoding = decoder.encoding;
    this.readable = readable;
    this.writable = writable;
  }
}

/** https://encoding.spec.whatwg.org/#interface-textencoderstream */
export class TextEncoderStream {
  readonly encoding = 'utf-8';
  readonly readable: TransformStream['readable'];
  readonly writable: TransformStream['writable'];

  constructor() {
    const encoder = new TextEncoder();
    // The first half of a character waits for the other.
    let half = '';
    const { readable, writable } = new TransformStream<string, Uint8Array>({
      transform(chunk, controller) {
        const text = half + String(chunk);
        half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? '';
        const whole = text.slice(0, text.length - half.length);
        if (whole !== '') controller.enqueue(encoder.encode(whole));
      },
      flush(controller) {
        if (half !== '') controller.enqueue(encoder.encode(half));
      },
    });
    this.readable = readable;
    this.writable = writable;
  }
}

function put(text: string, controller: { enqueue(text: string): void }): void {
  if (text !== '') controller.enqueue(text);
}
