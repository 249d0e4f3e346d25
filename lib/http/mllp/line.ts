import type { Heard, Listened } from '#lib/domain/hl7-feeds/listened.ts';

/** A feed as it is listened to here: its connections, and what is to be told of it next. */
export type Line = {
  feed: Listened;
  /** What ends each. */
  connections: Set<() => void>;
  told: Pick<Heard, 'received' | 'repeated' | 'refused' | 'fault'>;
  /** How it stood when it was told last. */
  stood: string;
};

export function createLine(feed: Listened): Line {
  return { feed, connections: new Set(), told: { received: 0, repeated: 0, refused: 0 }, stood: '' };
}

/** `text` is shown to administrators: fixed words, with nothing of what was sent. */
export function noteFault(line: Line, text: string): void {
  line.told.fault = text;
}
