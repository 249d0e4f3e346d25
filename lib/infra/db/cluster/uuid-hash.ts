/**
 * PostgreSQL's `uuid_hash`, by which Citus chooses the shard of a project: Bob Jenkins' lookup3 over sixteen bytes, as a signed number of
 * 32 bits (src/common/hashfn.c).
 */
export function uuidHash(uuid: string): number {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  const word = (n: number) => bytes.readInt32LE(4 * n);
  const start = (0x9e3779b9 + bytes.length + 3_923_095) | 0;
  const mixed = mix((start + word(0)) | 0, (start + word(1)) | 0, (start + word(2)) | 0);
  return final((mixed.a + word(3)) | 0, mixed.b, mixed.c);
}

function mix(a: number, b: number, c: number) {
  for (const [first, second, third] of [
    [4, 6, 8],
    [16, 19, 4],
  ] as const) {
    a = ((a - c) ^ turn(c, first)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ turn(a, second)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ turn(b, third)) | 0;
    b = (b + a) | 0;
  }
  return { a, b, c };
}

function final(a: number, b: number, c: number): number {
  c = ((c ^ b) - turn(b, 14)) | 0;
  a = ((a ^ c) - turn(c, 11)) | 0;
  b = ((b ^ a) - turn(a, 25)) | 0;
  c = ((c ^ b) - turn(b, 16)) | 0;
  a = ((a ^ c) - turn(c, 4)) | 0;
  b = ((b ^ a) - turn(a, 14)) | 0;
  return ((c ^ b) - turn(b, 24)) | 0;
}

function turn(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
