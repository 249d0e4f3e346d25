import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createLanes } from '#lib/base/lane.ts';
import { readWants } from '#lib/protocol/bots/wants/read-wants.ts';
import type { SourceWants } from '#lib/protocol/bots/wants/wants.ts';

/** Characters of JSON, of all that is kept. */
const MOST_KEPT = 16 * 1024 * 1024;
/** Of a project; each holds its sources. */
const WAITING = { most: 10, refusal: 'Too many sources of the project wait to be read: try again later' };

const kept = new LRUCache<string, SourceWants>({
  max: 2000,
  maxSize: MOST_KEPT,
  sizeCalculation: (wants) => JSON.stringify(wants).length,
});
const ofProject = createLanes(1, WAITING);

/**
 * What sources want (read-wants.ts), read once for each text, since that takes a second where they are long; of a project one after the other. Throws 429
 * where too many of it wait.
 */
export async function wantsOf(projectId: string, sources: readonly string[]): Promise<SourceWants> {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(`${source.length} ${source}`);
  const key = hash.digest('base64');
  return kept.get(key) ?? ofProject(projectId, async () => kept.get(key) ?? keep(key, await readWants(sources)));
}

function keep(key: string, wants: SourceWants): SourceWants {
  kept.set(key, wants);
  return wants;
}
