import { hash } from 'node:crypto';
import type { Place } from '#lib/infra/files/files.ts';
import { sourceHash } from './source-hash.ts';

/** What is told of bytes beside themselves. */
type Known = { size: number; sha256: string; sourceHash: string | undefined };

/** Bytes that came, and are no Binary's yet: few of them in memory, or a file that is there for good. */
export type Held = Known & ({ place: 'database'; data: Buffer } | { place: Place; key: string });

/** What comes in a resource, which was in memory anyway, or is small. */
export function hold(data: Buffer): Held {
  return {
    place: 'database',
    data,
    size: data.length,
    sha256: hash('sha256', data),
    sourceHash: sourceHash(data),
  };
}
