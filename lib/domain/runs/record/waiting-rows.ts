/** A row that waits to be written, as JSON, and the row of the audit log that goes with it. */
export type WaitingRow = {
  projectId: string;
  json: string;
  audit?: { id: string; json: string };
  /** Called when it is written, where it outlives this process until then. */
  release?: () => void;
};

export type WaitingRows = {
  /** What had to be dropped for it: the oldest rows of the project that has most. */
  add(row: WaitingRow): WaitingRow[];
  /** The next rows of one project, so many and so many characters at most, but one at least. Projects take turns. */
  take(rows: number, characters: number): WaitingRow[];
  has(projectId: string): boolean;
  /** Before all others, in their order. */
  putBack(rows: WaitingRow[]): void;
  isEmpty(): boolean;
  all(): WaitingRow[];
};

type Queue = { rows: WaitingRow[]; characters: number };

/** Rows by project, of so many characters in all: who writes most loses first. */
export function createWaitingRows(mostCharacters: number): WaitingRows {
  const queues = new Map<string, Queue>();
  let characters = 0;

  return { add, take, putBack, has: (projectId) => queues.has(projectId), isEmpty: () => queues.size === 0, all };

  function add(row: WaitingRow): WaitingRow[] {
    const queue = queueOf(row);
    queue.rows.push(row);
    count(queue, row, 1);
    const dropped: WaitingRow[] = [];
    while (characters > mostCharacters) {
      const [most] = [...queues].sort(([, a], [, b]) => b.characters - a.characters);
      dropped.push(drop(...most!));
    }
    return dropped;
  }

  function take(rows: number, most: number): WaitingRow[] {
    const taken: WaitingRow[] = [];
    const [next] = queues;
    if (!next) return taken;
    const [projectId, queue] = next;
    queues.delete(projectId);
    if (queue.rows.length > 0) queues.set(projectId, queue);
    for (let left = most; taken.length < rows; ) {
      const [first] = queue.rows;
      if (!first || (taken.length > 0 && first.json.length > left)) break;
      left -= first.json.length;
      taken.push(drop(projectId, queue));
    }
    return taken;
  }

  function putBack(rows: WaitingRow[]): void {
    for (const row of rows.toReversed()) {
      const queue = queueOf(row);
      queue.rows.unshift(row);
      count(queue, row, 1);
    }
  }

  function all(): WaitingRow[] {
    return [...queues.values()].flatMap(({ rows }) => rows);
  }

  function queueOf({ projectId }: WaitingRow): Queue {
    const queue = queues.get(projectId) ?? { rows: [], characters: 0 };
    queues.set(projectId, queue);
    return queue;
  }

  function drop(projectId: string, queue: Queue): WaitingRow {
    const row = queue.rows.shift()!;
    count(queue, row, -1);
    if (queue.rows.length === 0) queues.delete(projectId);
    return row;
  }

  function count(queue: Queue, { json }: WaitingRow, sign: 1 | -1): void {
    queue.characters += sign * json.length;
    characters += sign * json.length;
  }
}

/** JSON has no tabs and ends of lines but as escapes. */
export function toLine({ projectId, json, audit }: WaitingRow): string {
  return [projectId, json, ...(audit ? [audit.id, audit.json] : [])].join('\t');
}

export function toRow(line: string): WaitingRow {
  const [projectId = '', json = '', id, audit] = line.split('\t');
  return { projectId, json, ...(id && audit && { audit: { id, json: audit } }) };
}
