import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems hand out for outgoing connections (Linux from 32768, others from 49152): nobody takes one by chance. */
const [FIRST, LAST] = [20_000, 32_000];
const TRIES = 100;

/** The first of `count` neighbouring ports that nothing listens at, chosen by chance. Throws when none is found. */
export async function findFreePort(count = 1): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const first = randomInt(FIRST, LAST);
    const ports = Array.from({ length: count }, (_, at) => first + at);
    if ((await Promise.all(ports.map(isFreePort))).every(Boolean)) return first;
  }
  throw new Error(`No free port between ${FIRST} and ${LAST}`);
}

export function isFreePort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, () => probe.close(() => resolve(true)));
  });
}
