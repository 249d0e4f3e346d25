import { globSync, readFileSync } from 'node:fs';

export type Selection = {
  /** Their path has the word: all of their tests are meant. */
  whole: string[];
  /** Those of their tests are meant whose name has the word; there may be none, where names are put together as the file runs. */
  byName: string[];
};

/** The name of a test as it stands in the source, if it does: what is put together (`test(\`…${x}\`)`, `test.each`) does not. */
const DECLARES = '(?<![.\\w])(?:test|it|describe)(?:\\.\\w+)*\\(';
const WRITTEN = new RegExp(`${DECLARES}\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|"((?:[^"\\\\]|\\\\.)*)")`, 'g');
const COMPUTED = new RegExp(`${DECLARES}\\s*(?!async\\b|function\\b)[\\w\`]`);
/** Names with a word of the table, which stands in the source as well. */
const EACH = new RegExp(`${DECLARES}\\s*\\[`);

/** Of the files that `patterns` name, those that may hold a test whose path or name contains `word`, in whatever case. */
export function selectFiles(patterns: string[], word: string): Selection {
  const wanted = word.toLowerCase();
  const files = globSync(patterns).filter((file) => !file.includes('node_modules'));
  const whole = files.filter((file) => file.toLowerCase().includes(wanted));
  const byName = files.filter((file) => !whole.includes(file) && mayName(readFileSync(file, 'utf8'), wanted));
  return { whole, byName };
}

function mayName(source: string, wanted: string): boolean {
  if (COMPUTED.test(source) || (EACH.test(source) && source.toLowerCase().includes(wanted))) return true;
  return [...source.matchAll(WRITTEN)].some(([, single = '', double = '']) =>
    (single + double).toLowerCase().includes(wanted),
  );
}

/** `word` as a pattern that is blind to case, for runners that take no flags. */
export function anyCase(word: string): string {
  return word
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}
