/** A statement as the suite sent it. Of its parameters, those that always had one value have one number: that of the first of them. */
export type NotedStatement = { text: string; equals: number[] };

/** What one process leaves of so many test files. */
export type LeftStatements = { files: number; statements: NotedStatement[] };

const noted = new Map<string, number[]>();

/** Keeps a text, and which of its parameters are one: Drizzle numbers a value anew wherever it stands. */
export function noteStatement(text: string, params: readonly unknown[]): void {
  const before = noted.get(text);
  if (before?.every((first, index) => params[index] === params[first])) return;
  const now = firsts(params);
  noted.set(text, before ? both(before, now) : now);
}

export function notedStatements(): NotedStatement[] {
  return [...noted].map(([text, equals]) => ({ text, equals }));
}

/** What several processes have noted, each text once. */
export function mergeStatements(all: readonly NotedStatement[]): NotedStatement[] {
  const merged = new Map<string, number[]>();
  for (const { text, equals } of all) {
    const before = merged.get(text);
    merged.set(text, before ? both(before, equals) : equals);
  }
  return [...merged].map(([text, equals]) => ({ text, equals }));
}

function both(one: readonly number[], other: readonly number[]): number[] {
  return firsts(one.map((first, index) => `${first} ${other[index]}`));
}

function firsts(values: readonly unknown[]): number[] {
  return values.map((value) => values.indexOf(value));
}
