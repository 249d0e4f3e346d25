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
 * holds most and has not ended; whoever holds little is in nobody's way.
 */
export function createHolder(projectId: string, sendAway: () => void, most = MOST_HELD): Holder {
  const held: Held = { projectId, bytes: 0, isAtWork: false, sendAway };
  all.add(held);
  return {
    hold(bytes, isAtWork) {
      set(held, bytes);
      held.isAtWork = isAtWork;
      if (total > most) findHeaviest()?.sendAway();
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

function findHeaviest(): Held | undefined {
  const waiting = [...all].filter(({ bytes, isAtWork }) => bytes > 0 && !isAtWork);
  const sums = new Map<string, number>();
  for (const { projectId, bytes } of waiting) sums.set(projectId, (sums.get(projectId) ?? 0) + bytes);
  const weight = ({ projectId, bytes }: Held) => [sums.get(projectId) ?? 0, bytes] as const;
  return waiting.sort((a, b) => {
    const [[sumA, ownA], [sumB, ownB]] = [weight(a), weight(b)];
    return sumB - sumA || ownB - ownA;
  })[0];
}
