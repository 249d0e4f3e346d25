import { Buffer } from './buffer.ts';

type Pieces = AsyncIterable<string | Uint8Array>;

/** https://nodejs.org/api/webstreams.html#utility-consumers: all that a stream gives, in one piece. */
export async function buffer(stream: Pieces): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(typeof part === 'string' ? Buffer.from(part) : part);
  return Buffer.concat(parts);
}

export async function arrayBuffer(stream: Pieces): Promise<ArrayBuffer> {
  const { buffer: all, byteOffset, byteLength } = await buffer(stream);
  return all.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
}

export async function bytes(stream: Pieces): Promise<Uint8Array> {
  return new Uint8Array(await arrayBuffer(stream));
}

export async function blob(stream: Pieces): Promise<Blob> {
  return new Blob([await arrayBuffer(stream)]);
}

export async function text(stream: Pieces): Promise<string> {
  return new TextDecoder().decode(await arrayBuffer(stream));
}

export async function json(stream: Pieces): Promise<unknown> {
  return JSON.parse(await text(stream));
}
