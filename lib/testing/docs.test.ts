import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = `${import.meta.dirname}/../..`;
const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');

test.each([
  ['ARCHITECTURE.md', 20],
  ['docs/scale.md', 3],
  ['docs/asvs.md', 20],
  ['docs/database.md', 1],
])('%s names no path that is gone', (page, fewest) => {
  const paths = [...read(page).matchAll(/`([\w.[\]-]+(?:\/[\w.[\]-]+)*\/?)`/g)].map((match) => match[1]!);
  const named = paths.filter((path) => path.includes('/') || /\.(ts|mjs|cjs|md)$/.test(path));
  expect(named.length).toBeGreaterThan(fewest);
  expect(named.filter((path) => !existsSync(`${ROOT}/${path}`))).toEqual([]);
});

test('ARCHITECTURE.md says why each runtime dependency is there, and names no other', () => {
  const section = read('ARCHITECTURE.md').split('## Why each dependency')[1]!;
  const named = [...section.matchAll(/^\| ([^|]+) \|/gm)]
    .flatMap((match) => match[1]!.split(', '))
    .filter((name) => !/^(package|-+)$/.test(name));
  expect(named.sort()).toEqual(Object.keys(JSON.parse(read('package.json')).dependencies).sort());
});

test('.env.example lists every setting and no other', () => {
  const documented = [...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map((match) => match[1]!);
  const known = [...read('lib/base/env.ts').matchAll(/^ {2}([A-Z_]+):/gm)]
    .map((match) => match[1]!)
    .filter((name) => name !== 'NODE_ENV');
  expect(documented.sort()).toEqual(known.sort());
});

test('README.md links to nothing that is gone', () => {
  const links = [...read('README.md').matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map((match) => match[1]!);
  expect(links.filter((path) => !existsSync(`${ROOT}/${path}`))).toEqual([]);
});
