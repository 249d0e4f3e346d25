import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of ours and its text; `path` from the root of the repository. */
export type Source = { path: string; text: string };

/** What breaks a rule, a sentence each. Pure: tests hand it bad examples. */
export type Rule = (sources: readonly Source[]) => string[];

const FOLDERS = ['app', 'components', 'e2e', 'lib', 'scripts'];
const KINDS = /\.(tsx?|mjs|cjs|css)$/;
const APART = /\.(test|spec|fixture)\.tsx?$|\.d\.m?ts$|\/generated\/|^lib\/testing\//;

/** Everything hand-written, tests too. */
export function readSources(root: string): Source[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return [...readdirSync(root), ...below]
    .filter((path) => KINDS.test(path) && path !== 'next-env.d.ts')
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Not a test, not generated, not a declaration. */
export function isShipped({ path }: Source): boolean {
  return !APART.test(path);
}
