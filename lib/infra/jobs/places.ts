/** At once, of all projects; and of one, as long as few have something to do. */
const AT_ONCE = 48;
const AT_ONCE_OF_GROUP = 12;
/** Beyond those, for whom nothing runs yet: one each. A few whose bots take minutes keep nobody else waiting. */
const SPARE = 48;
/** Taken off the queue, so that who is done goes on without asking; and of one project, so that it does not take every place. */
const MOST_HELD = 256;
const MOST_HELD_OF_GROUP = 64;
const LEAST_HELD_OF_GROUP = 4;
const BATCH = 64;
/** When everything is held, of whom little is held; and of a key of which there was too much. */
export const SPARE_BATCH = 8;
/** Of one key, of which one runs at a time: what a project holds is enough for all of its places. */
const MOST_OF_KEY = Math.floor(MOST_HELD_OF_GROUP / AT_ONCE_OF_GROUP);
const LEAST_OF_KEY = 2;

type One = { key: string; group: string; state: 'waiting' | 'running' | 'done' };

/**
 * What may be begun now, of each project in the order in which it came, of one key the first alone: no project more than its share, and where places are left
 * then, more. Beyond them who has nothing running has one.
 */
export function toBegin<T extends One>(held: Iterable<T>): T[] {
  const all = [...held];
  const running = all.filter(({ state }) => state === 'running');
  const waiting = all.filter(({ state }) => state === 'waiting');
  if (waiting.length === 0) return [];
  const counts = countGroups(running);
  const begun = new Set<T>();
  const share = shareOf(AT_ONCE, countGroups([...running, ...waiting]).size, AT_ONCE_OF_GROUP);
  for (const [most, ofGroup] of [
    [AT_ONCE, share],
    [AT_ONCE, AT_ONCE_OF_GROUP],
    [AT_ONCE + SPARE, 1],
  ] as const)
    begin(most, ofGroup);
  return waiting.filter((one) => begun.has(one));

  function begin(most: number, mostOfGroup: number): void {
    const keys = new Set([...running, ...begun].map(({ key }) => key));
    for (const one of waiting) {
      if (running.length + begun.size >= most) return;
      if (begun.has(one)) continue;
      const ofGroup = counts.get(one.group) ?? 0;
      if (!keys.has(one.key) && ofGroup < mostOfGroup) {
        counts.set(one.group, ofGroup + 1);
        begun.add(one);
      }
      keys.add(one.key);
    }
  }
}

/** How many more are taken off the queue, and of which projects none. */
export function toFetch(held: Iterable<One>): { batchSize: number; ignoreGroups: string[] } {
  const counts = countGroups(held);
  const size = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const share = heldOfGroup(counts.size);
  const ignoreGroups = [...counts].flatMap(([group, count]) => (count >= share ? [group] : []));
  const room = MOST_HELD - size;
  return { batchSize: room > 0 ? Math.min(BATCH, room) : size < 2 * MOST_HELD ? SPARE_BATCH : 0, ignoreGroups };
}

/** What was taken off the queue in this order and is held, and what goes back: more of one key than can be of use. */
export function toHold<T extends { key: string }>(
  held: Iterable<One>,
  found: readonly T[],
): { kept: T[]; surplus: T[] } {
  const all = [...held];
  const counts = countKeys(all);
  const most = mostOfKey(all);
  const { kept = [], surplus = [] } = Object.groupBy(found, ({ key }) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count > most ? 'surplus' : 'kept';
  });
  return { kept, surplus };
}

/** Of these keys the first of which few are held by now. */
export function toResume(held: Iterable<One>, keys: Iterable<string>): string | undefined {
  const all = [...held];
  const counts = countKeys(all);
  const few = Math.floor(mostOfKey(all) / 2);
  return [...keys].find((key) => (counts.get(key) ?? 0) <= few);
}

/** Where many projects are held, one may have little, and of that one key no more than half. */
function mostOfKey(held: Iterable<One>): number {
  return Math.max(LEAST_OF_KEY, Math.min(MOST_OF_KEY, Math.floor(heldOfGroup(countGroups(held).size) / 2)));
}

function heldOfGroup(groups: number): number {
  return Math.max(LEAST_HELD_OF_GROUP, shareOf(MOST_HELD, groups + 1, MOST_HELD_OF_GROUP));
}

function countKeys(all: Iterable<One>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key, state } of all) if (state !== 'done') counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function shareOf(places: number, groups: number, most: number): number {
  return Math.max(1, Math.min(most, Math.floor(places / Math.max(1, groups))));
}

function countGroups(all: Iterable<One>): Map<string, number> {
  return new Map([...Map.groupBy(all, ({ group }) => group)].map(([group, of]) => [group, of.length]));
}
