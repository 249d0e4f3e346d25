import type { Source } from './source.ts';

/** Those before it were released before there was the rule. */
const FIRST = '0010';
/** What a program of the release before, which still serves, would stumble over. */
const BREAKS: readonly [pattern: RegExp, what: string][] = [
  [/\bdrop\s+(?:column|table|schema|type|view)\b/i, 'drops what it may still use'],
  [/\brename\b/i, 'renames what it may still use'],
  [/\balter\s+column\b[^;]*\btype\b/i, 'changes the type of what it reads and writes'],
  [/\balter\s+column\b[^;]*\bset\s+not\s+null\b/i, 'demands what it may leave empty'],
  [/\badd\s+column\b(?=[^;]*\bnot\s+null\b)(?![^;]*\bdefault\b)/i, 'demands what it does not know of'],
];

/**
 * A migration runs while the release before still serves (ARCHITECTURE.md, "Migrations"): a statement that only a contract may hold says
 * `-- contract:` and why nothing uses any more what it takes away.
 */
export function contracts(migrations: readonly Source[]): string[] {
  return migrations
    .filter(({ path }) => path.slice(path.lastIndexOf('/') + 1) >= FIRST)
    .flatMap(({ path, text }) =>
      text
        .split('--> statement-breakpoint')
        .filter((statement) => !/^\s*-- contract: \S/m.test(statement))
        .flatMap((statement) => breaksOf(statement.replace(/--.*$/gm, '')))
        .map((what) => `${path} ${what}: expand first; where it is the contract, say "-- contract:" and why`),
    );
}

function breaksOf(statement: string): string[] {
  return BREAKS.flatMap(([pattern, what]) => (pattern.test(statement) ? [what] : []));
}
