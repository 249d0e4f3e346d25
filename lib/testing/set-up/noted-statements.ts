/** A statement as the suite sent it. Of its parameters, those that always had one value have one number: that of the first of them. */
export type NotedStatement = {
  text: string;
  equals: number[];
  /** The parameters that it was first sent with, for asking how it is planned (one-task/). */
  sample: (string | null)[];
  /** Whether only files that draw what they ask have sent it. */
  drawn: boolean;
};

/** What one process leaves of so many test files. */
export type LeftStatements = { files: number; statements: NotedStatement[] };

const noted = new Map<string, Omit<NotedStatement, 'text'>>();

let draws = false;

/** For a file that draws its questions by chance, as far as this file goes: their texts are held to what all are, but not counted. */
export function drawsItsQuestions(does = true): void {
  draws = does;
}

/** Keeps a text, and which of its parameters are one: Drizzle numbers a value anew wherever it stands. */
export function noteStatement(text: string, params: readonly unknown[]): void {
  const before = noted.get(text);
  if (before && !draws) before.drawn = false;
  if (before?.equals.every((first, index) => params[index] === params[first])) return;
  const now = firsts(params);
  noted.set(
    text,
    before
      ? { ...before, equals: both(before.equals, now) }
      : { equals: now, sample: params.map(toText), drawn: draws },
  );
}

export function notedStatements(): NotedStatement[] {
  return [...noted].map(([text, rest]) => ({ text, ...rest }));
}

/** What several processes have noted, each text once. */
export function mergeStatements(all: readonly NotedStatement[]): NotedStatement[] {
  const merged = new Map<string, NotedStatement>();
  for (const one of all) {
    const before = merged.get(one.text);
    const drawn = one.drawn && (before?.drawn ?? true);
    merged.set(one.text, before ? { ...before, equals: both(before.equals, one.equals), drawn } : one);
  }
  return [...merged.values()];
}

function both(one: readonly number[], other: readonly number[]): number[] {
  return firsts(one.map((first, index) => `${first} ${other[index]}`));
}

function firsts(values: readonly unknown[]): number[] {
  return values.map((value) => values.indexOf(value));
}

/** As the driver sends it. */
function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return value instanceof Date ? value.toISOString() : String(value);
}
