/** What all connections hold at once of messages that have not ended, or are not answered. */
const MOST_HELD = 128 * 1024 * 1024;

export type Holder = {
  /** It holds so many bytes now. `isAtWork`: of a message that came whole and is being answered. */
  hold(bytes: number, isAtWork: boolean): void;
  release(): void;
};

type Held = { projectId: string; bytes: number; isAtWork: boolean; sendAway: () => void };

const all = new Set<Held>();
let total = 0;

/**
 * A connection's share of what this process holds of messages. When all is taken, one is sent away for each that comes: of the project that holds most, the one that
 * holds most and has not ended; but none of a project that holds less than an equal share of all.
 */
export function createHolder(projectId: string, sendAway: () => void, most = MOST_HELD): Holder {
  const held: Held = { projectId, bytes: 0, isAtWork: false, sendAway };
  all.add(held);
  return {
    hold(bytes, isAtWork) {
      set(held, bytes);
      held.isAtWork = isAtWork;
      if (total > most) findHeaviest(most)?.sendAway();
    },
    release() {
      set(held, 0);
      all.delete(held);
    },
  };
}

function set(held: Held, bytes: number): void {
  total += bytes - held.bytes;
  held.bytes = bytes;
}

function findHeaviest(most: number): Held | undefined {
  const sums = new Map<string, number>();
  for (const { projectId, bytes } of all) if (bytes > 0) sums.set(projectId, (sums.get(projectId) ?? 0) + bytes);
  const sumOf = ({ projectId }: Held) => sums.get(projectId) ?? 0;
  return [...all]
    .filter((held) => held.bytes > 0 && !held.isAtWork && sumOf(held) >= most / sums.size)
    .sort((a, b) => sumOf(b) - sumOf(a) || b.bytes - a.bytes)[0];
}
