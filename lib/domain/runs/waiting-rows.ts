/** A row that waits to be written, as JSON. */
export type WaitingRow = { projectId: string; json: string };

export type WaitingRows = {
  /** False when something had to be dropped for it: the oldest row of the project that has most. */
  add(row: WaitingRow): boolean;
  /** The next rows, so many and so many characters at most, but one at least. */
  take(rows: number, characters: number): WaitingRow[];
  /** Before all others, in their order. */
  putBack(rows: WaitingRow[]): void;
  isEmpty(): boolean;
};

type Queue = { rows: WaitingRow[]; characters: number };

/** Rows by project, of so many characters in all: who writes most loses first. */
export function createWaitingRows(mostCharacters: number): WaitingRows {
  const queues = new Map<string, Queue>();
  let characters = 0;

  return { add, take, putBack, isEmpty: () => queues.size === 0 };

  function add(row: WaitingRow): boolean {
    const queue = queueOf(row);
    queue.rows.push(row);
    count(queue, row, 1);
    if (characters <= mostCharacters) return true;
    while (characters > mostCharacters) {
      const [most] = [...queues].sort(([, a], [, b]) => b.characters - a.characters);
      drop(...most!);
    }
    return false;
  }

  function take(rows: number, most: number): WaitingRow[] {
    const taken: WaitingRow[] = [];
    let left = most;
    for (const [projectId, queue] of queues) {
      while (
        queue.rows.length > 0 &&
        taken.length < rows &&
        (taken.length === 0 || queue.rows[0]!.json.length <= left)
      ) {
        const row = drop(projectId, queue);
        left -= row.json.length;
        taken.push(row);
      }
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
