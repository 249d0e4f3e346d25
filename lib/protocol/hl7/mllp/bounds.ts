/** More than any message of people has: what is done with each of them is done for everybody's requests to wait for. */
const MOST_SEGMENTS = 50_000;
/** Of MSH, which is parsed at once. */
const MOST_HEADER_BYTES = 64 * 1024;

const [CR, LF] = [13, 10];

/** Where a message goes beyond that, in words; from its bytes, before anything is made of them. */
export function findExcess(bytes: Uint8Array): string | undefined {
  let segments = 0;
  let header = -1;
  let isWithin = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const isEnd = bytes[at] === CR || bytes[at] === LF;
    if (isEnd && isWithin && header < 0) header = at;
    if (!isEnd && !isWithin) segments += 1;
    isWithin = !isEnd;
  }
  if (segments > MOST_SEGMENTS) return `A message has at most ${MOST_SEGMENTS} segments`;
  return (header < 0 ? bytes.length : header) > MOST_HEADER_BYTES
    ? `MSH has at most ${MOST_HEADER_BYTES} bytes`
    : undefined;
}
