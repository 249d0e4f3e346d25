import { toMarkdown } from '../bench/table.ts';

export type Version = 'old' | 'new';

type Count = { asked: number; wrong: number };

/** What was asked of which version, and what came of it. */
export type Tally = {
  /** `problem`: why the answer is not what it should be. */
  note(operation: string, version: Version, problem: string | undefined): void;
  problems: string[];
  toTable(): string;
};

export function openTally(): Tally {
  const counts = new Map<string, Record<Version, Count>>();
  const problems: string[] = [];
  return {
    problems,
    note(operation, version, problem) {
      const of = counts.get(operation) ?? { old: { asked: 0, wrong: 0 }, new: { asked: 0, wrong: 0 } };
      counts.set(operation, of);
      of[version].asked += 1;
      if (problem === undefined) return;
      of[version].wrong += 1;
      problems.push(`${operation}, asked of the ${version}: ${problem}`);
    },
    toTable() {
      const rows = [...counts].map(([operation, { old, new: current }]) => [
        operation,
        ...[old.asked, old.wrong, current.asked, current.wrong].map(String),
      ]);
      return toMarkdown(['', 'Old: asked', 'wrong', 'New: asked', 'wrong'], rows);
    },
  };
}
