import { describe, expect, test } from 'vitest';
import { compareFiles } from './compare-files.ts';
import {
  type Files,
  fingerprint,
  isSame,
  mayBeEntry,
  nameProblem,
  sizeProblem,
  toFiles,
  toProgram,
  withContent,
  withFile,
  withName,
  without,
} from './program.ts';
import { toTree } from './to-tree.ts';

const BOT = toFiles({
  code: 'entry',
  filename: 'src/index.ts',
  files: [
    { filename: 'src/lib/dates.ts', content: 'dates' },
    { filename: 'package.json', content: '{}' },
  ],
});

describe('a bot as it is edited', () => {
  test('is what the server tells and takes; one file has no others', () => {
    expect(toProgram(BOT)).toEqual({
      code: 'entry',
      filename: 'src/index.ts',
      files: [
        { filename: 'src/lib/dates.ts', content: 'dates' },
        { filename: 'package.json', content: '{}' },
      ],
    });
    expect(toProgram(toFiles({ code: 'a', filename: 'index.ts' }))).toEqual({ code: 'a', filename: 'index.ts' });
  });

  test('another entry point takes the place of the first among the others', () => {
    const program = toProgram({ ...BOT, entry: 'src/lib/dates.ts' });
    expect(program).toMatchObject({ code: 'dates', filename: 'src/lib/dates.ts' });
    expect(program.files?.map(({ filename }) => filename)).toEqual(['src/index.ts', 'package.json']);
  });

  test('changes leave what they do not touch as it is', () => {
    expect(withContent(BOT, 'package.json', '{}')).toBe(BOT);
    const more = withFile(BOT, 'a.ts');
    expect(more.all.at(-1)).toEqual({ filename: 'a.ts', content: '' });
    expect(isSame(without(more, 'a.ts'), BOT)).toBe(true);
    expect(isSame({ ...BOT, all: BOT.all.toReversed() }, BOT)).toBe(true);
    expect(isSame({ ...BOT, entry: 'src/lib/dates.ts' }, BOT)).toBe(false);
    expect(fingerprint({ ...BOT, all: BOT.all.toReversed() })).toBe(fingerprint(BOT));
    expect(fingerprint(withContent(BOT, 'package.json', '{ }'))).not.toBe(fingerprint(BOT));
    expect(fingerprint({ ...BOT, entry: 'src/lib/dates.ts' })).not.toBe(fingerprint(BOT));
    expect(withName(BOT, 'src/index.ts', 'main.ts').entry).toBe('main.ts');
  });

  test('the file that is left by itself has no folders, as the server keeps it', () => {
    const left = without(without(BOT, 'package.json'), 'src/lib/dates.ts');
    expect(left).toEqual({ entry: 'index.ts', all: [{ filename: 'index.ts', content: 'entry' }] });
  });
});

test.each<[string, string | undefined, RegExp | undefined]>([
  ['', undefined, /needs a name/],
  ['../a.ts', undefined, /without \. and \.\./],
  ['a//b.ts', undefined, /one \/ between/],
  ['a:b.ts', undefined, /no \\, : or "/],
  ['package.json', undefined, /is there already/],
  ['package.json', 'package.json', undefined],
  ['lib/a.ts', undefined, undefined],
  ['src/index.json', 'src/index.ts', /ends in \.ts or \.js/],
  ['node_modules/index.ts', 'src/index.ts', /source of your own/],
  [`${'a'.repeat(254)}.ts`, undefined, /256 characters/],
])('the name %s (of %s)', (name, self, problem) => {
  if (problem) expect(nameProblem(BOT, name, self)).toMatch(problem);
  else expect(nameProblem(BOT, name, self)).toBeUndefined();
});

test('the handler stands in a source of one’s own', () => {
  expect(['a.ts', 'b/c.mjs'].every(mayBeEntry)).toBe(true);
  expect(['a.json', 'node_modules/a/b.js', 'readme.md'].some(mayBeEntry)).toBe(false);
});

test('what is too large is known before it is sent, by bytes', () => {
  const of = (content: string, others = 0): Files => ({
    entry: 'index.ts',
    all: [
      { filename: 'index.ts', content },
      ...Array.from({ length: others }, (_, at) => ({ filename: `${at}.ts`, content })),
    ],
  });
  expect(sizeProblem(of('x'.repeat(1024 * 1024)))).toBeUndefined();
  expect(sizeProblem(of('é'.repeat(600_000)))).toMatch(/1 MiB/);
  expect(sizeProblem(of('x'.repeat(1024 * 1024), 4))).toBeUndefined();
  expect(sizeProblem(of('x'.repeat(1024 * 1024), 5))).toMatch(/5 MiB/);
  expect(sizeProblem(of('', 2000))).toBeUndefined();
  expect(sizeProblem(of('', 2001))).toMatch(/2000 at most/);
});

test('what became of one bot in another: added, removed and changed files, by name', () => {
  const after = withFile(without(withContent(BOT, 'src/index.ts', 'other'), 'package.json'), 'a.ts');
  expect(compareFiles(BOT, after)).toEqual([
    { filename: 'a.ts', kind: 'added', before: '', after: '' },
    { filename: 'package.json', kind: 'removed', before: '{}', after: '' },
    { filename: 'src/index.ts', kind: 'changed', before: 'entry', after: 'other' },
  ]);
  expect(compareFiles(BOT, BOT)).toEqual([]);
});

test('a tree has folders before files, and of a closed one nothing; a file may be called as a folder is', () => {
  const names = ['b.ts', 'a/c/d.ts', 'a/b.ts', 'a', 'node_modules/x/y.js'];
  const rows = toTree(names, (folder) => folder !== 'node_modules/');
  expect(rows.map(({ key, level }) => [key, level])).toEqual([
    ['a/', 1],
    ['a/c/', 2],
    ['a/c/d.ts', 3],
    ['a/b.ts', 2],
    ['node_modules/', 1],
    ['a', 1],
    ['b.ts', 1],
  ]);
  expect(rows.find(({ key }) => key === 'a/c/d.ts')?.parent).toBe('a/c/');
});
