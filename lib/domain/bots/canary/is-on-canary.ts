import { createHash } from 'node:crypto';

/** Whether this event falls to the version that is tried: the same for all attempts at it, in every process, as long as the trial and its share last. */
export function isOnCanary({ id, share }: { id: string; share: number }, eventKey: string): boolean {
  const hash = createHash('sha256').update(`${id} ${eventKey}`).digest();
  return hash.readUInt32BE(0) % 10_000 < share * 100;
}
