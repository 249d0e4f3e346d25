import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFrameReader, type Frame, toFrame } from './frame-reader.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = ({ kind, bytes }: Frame) => (kind === 'message' ? new TextDecoder().decode(bytes) : kind);
const read = (...chunks: string[]) => {
  const reader = createFrameReader(100);
  return chunks.flatMap((chunk) => reader.push(bytes(chunk))).map(text);
};

describe('messages in a stream', () => {
  it('are the same however the stream is cut', () => {
    const message = fc
      .uint8Array({ maxLength: 60 })
      .map((some) => some.filter((byte) => byte !== 0x1c && byte !== 0x0b));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), fc.array(fc.nat({ max: 9 })), (messages, cuts) => {
        const stream = new Uint8Array(messages.flatMap((one) => [...toFrame(one)]));
        const reader = createFrameReader(100);
        const frames: Frame[] = [];
        let at = 0;
        for (const cut of [...cuts, stream.length]) {
          frames.push(...reader.push(stream.subarray(at, at + cut)));
          at += cut;
        }
        expect(frames.map(({ kind }) => kind)).toEqual(messages.map(() => 'message'));
        expect(frames.map(({ bytes }) => [...bytes])).toEqual(messages.map((one) => [...one]));
        expect(reader.pending()).toBe(0);
      }),
    );
  });

  it('may have line ends between them, and lack the last CR where another begins', () => {
    expect(read('\vA\u001C\r\n\r\vB\u001C\vC\u001C', '\r')).toEqual(['A', 'B', 'C']);
  });

  it('hold an FS that ends nothing', () => {
    expect(read('\vA\u001C', 'B\u001C\u001C\r')).toEqual(['A\u001CB\u001C']);
  });

  it('end with what is outside of them', () => {
    expect(read('\vA\u001C\rGET / HTTP/1.1\r\n', '\vB\u001C\r')).toEqual(['A', 'garbage']);
  });

  it('end with one that is too large, of which the beginning is told', () => {
    const reader = createFrameReader(10_000);
    const frames = reader.push(bytes(`\vMSH|${'x'.repeat(10_000)}`));
    expect(frames.map(({ kind }) => kind)).toEqual(['too-large']);
    expect(frames[0]?.bytes.length).toBe(4096);
    expect(reader.push(bytes('\vB\u001C\r'))).toEqual([]);
  });

  it('cost what they take, also byte by byte', () => {
    const reader = createFrameReader(1_000_000);
    reader.push(bytes('\v'));
    for (let at = 0; at < 100_000; at += 1) reader.push(Uint8Array.of(65));
    expect(reader.pending()).toBeLessThan(200_100);
  });
});
