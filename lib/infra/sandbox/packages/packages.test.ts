import { describe, expect, it } from 'vitest';
import { bundleBot } from '../compile/bundle.ts';

type Files = Record<string, string>;

const toFiles = (files: Files) => Object.entries(files).map(([filename, content]) => ({ filename, content }));

/** What the bundle of a bot of these files gives. */
async function run(source: string, files: Files, filename = 'index.ts'): Promise<unknown> {
  const built = await bundleBot('project-1', { source, filename, files: toFiles(files) });
  if (!built.ok) throw new Error(JSON.stringify(built.errors));
  const module = { exports: {} as { handler: () => unknown } };
  new Function('module', 'exports', built.code)(module, module.exports);
  return module.exports.handler();
}

async function errors(source: string, files: Files, filename = 'index.ts') {
  const built = await bundleBot('project-1', { source, filename, files: toFiles(files) });
  return built.ok ? [] : built.errors;
}

const json = JSON.stringify;

describe('a bot of many files', () => {
  it.each<[string, string, Files, unknown]>([
    [
      'TypeScript',
      "import { a } from './a'; export const handler = () => a;",
      { 'a.ts': 'export const a: number = 1;' },
      1,
    ],
    [
      'TypeScript by its name of later',
      "import { a } from './a.js'; export const handler = () => a;",
      { 'a.ts': 'export const a = 2;' },
      2,
    ],
    ['JSON', "import a from './data/a.json'; export const handler = () => a.n;", { 'data/a.json': '{"n":3}' }, 3],
    [
      'a folder',
      "import { a } from './lib'; export const handler = () => a;",
      { 'lib/index.js': 'export const a = 4;' },
      4,
    ],
    [
      'CommonJS',
      "const { a } = require('./a'); exports.handler = () => a;",
      { 'a.cjs': 'exports.a = 5;', 'a.js': 'exports.a = 6;' },
      6,
    ],
    [
      'each other',
      "import { b } from './b'; export const one = 1; export const handler = () => b();",
      { 'b.ts': "import { one } from './index'; export const b = () => one + 1;" },
      2,
    ],
  ])('finds %s', async (_, source, files, result) => expect(await run(source, files)).toBe(result));

  it('has its handler in any folder', async () => {
    expect(
      await run(
        "import { a } from '../a'; export const handler = () => a;",
        { 'a.ts': 'export const a = 1;' },
        'src/bot.ts',
      ),
    ).toBe(1);
  });

  it.each([
    ['that is not there', './b', 'there is no such file'],
    ['above its folder', '../../etc/passwd', 'there is no such file'],
    ['of the machine', '/etc/passwd', 'there is no such file'],
    ['that is no code', './style.css', 'style.css is neither'],
    ['of the build', 'bot:source', 'not among the files'],
  ])('is refused a file %s, with the place of the import', async (_, path, text) => {
    const files = { 'lib/a.ts': `\nimport '${path}';`, 'lib/style.css': 'a {}' };
    expect(await errors("import './lib/a'; export const handler = 1;", files)).toMatchObject([
      { file: 'lib/a.ts', line: 2, column: 8, text: expect.stringContaining(text) },
    ]);
  });

  it('says in which of the files an error is, and where', async () => {
    const found = await errors("import './a'; export const handler = 1;", { 'a.ts': 'const x =;' });
    expect(found).toMatchObject([{ file: 'a.ts', line: 1, column: 10 }]);
  });
});

describe('packages in node_modules', () => {
  const importing = (path: string) => `import { a } from '${path}'; export const handler = () => a;`;
  const requiring = (path: string) => `exports.handler = () => require('${path}').a;`;
  const p = (name: string, rest: object) => ({
    [`node_modules/${name}/package.json`]: json({ name, version: '1.0.0', ...rest }),
  });

  it.each<[string, string, Files, unknown]>([
    ['main', importing('p'), { ...p('p', { main: 'lib/m' }), 'node_modules/p/lib/m.js': 'exports.a = 1;' }, 1],
    ['index, without a word', importing('p'), { 'node_modules/p/index.js': 'exports.a = 1;' }, 1],
    [
      'module before main',
      importing('p'),
      {
        ...p('p', { main: 'm.js', module: 'e.js' }),
        'node_modules/p/m.js': 'exports.a = 0;',
        'node_modules/p/e.js': 'export const a = 1;',
      },
      1,
    ],
    [
      'exports by condition: import',
      importing('p'),
      {
        ...p('p', { exports: { '.': { require: './m.cjs', import: './e.mjs' } } }),
        'node_modules/p/m.cjs': 'exports.a = 2;',
        'node_modules/p/e.mjs': 'export const a = 1;',
      },
      1,
    ],
    [
      'exports by condition: require',
      requiring('p'),
      {
        ...p('p', { exports: { '.': { require: './m.cjs', import: './e.mjs' } } }),
        'node_modules/p/m.cjs': 'exports.a = 2;',
        'node_modules/p/e.mjs': 'export const a = 1;',
      },
      2,
    ],
    [
      'exports for browsers before those for Node',
      importing('p'),
      {
        ...p('p', { exports: { node: './n.js', browser: './b.js' } }),
        'node_modules/p/n.js': "import 'fs';",
        'node_modules/p/b.js': 'export const a = 1;',
      },
      1,
    ],
    [
      'a pattern',
      importing('@s/p/x/y'),
      { ...p('@s/p', { exports: { './x/*': './dist/*.js' } }), 'node_modules/@s/p/dist/y.js': 'export const a = 1;' },
      1,
    ],
    ['a file within', importing('p/lib/y'), { ...p('p', {}), 'node_modules/p/lib/y.js': 'export const a = 1;' }, 1],
    [
      'its own names (#)',
      importing('p'),
      {
        ...p('p', { main: 'm.js', imports: { '#y': './y.js' } }),
        'node_modules/p/m.js': "export { a } from '#y';",
        'node_modules/p/y.js': 'export const a = 1;',
      },
      1,
    ],
    [
      'what stands for a file of Node',
      importing('p'),
      {
        ...p('p', { main: 'm.js', browser: { './n.js': './b.js', fs: false } }),
        'node_modules/p/m.js': "require('fs'); exports.a = require('./n').a;",
        'node_modules/p/b.js': 'exports.a = 1;',
        'node_modules/p/n.js': '',
      },
      1,
    ],
    [
      'packages of packages, the nearest first',
      importing('p'),
      {
        ...p('p', { main: 'm.js' }),
        'node_modules/p/m.js': "export { a } from 'q';",
        'node_modules/p/node_modules/q/index.js': 'exports.a = 1;',
        'node_modules/q/index.js': 'exports.a = 2;',
      },
      1,
    ],
  ])('are found by %s', async (_, source, files, result) => expect(await run(source, files)).toBe(result));

  it.each<[string, Files]>([
    ['that leads out of the files', { ...p('p', { main: '../../../../etc/passwd' }) }],
    ['that leads to itself', { ...p('p', { browser: { q: 'r', r: 'q' } }), 'node_modules/p/index.js': "import 'q';" }],
    ['that is no object', { 'node_modules/p/package.json': '[]' }],
    ['that is no JSON', { 'node_modules/p/package.json': '{' }],
    ['with exports that are none', { ...p('p', { exports: 7 }) }],
    [
      'with exports nested without end',
      { 'node_modules/p/package.json': `{"exports":${'{"import":'.repeat(9000)}1${'}'.repeat(9001)}` },
    ],
    ['that is very long', { 'node_modules/p/package.json': json({ x: 'x'.repeat(300_000) }) }],
  ])('are refused with a package.json %s', async (_, files) => {
    expect(await errors("import 'p'; export const handler = 1;", files)).toMatchObject([
      { text: expect.stringContaining('Cannot import') },
    ]);
  });

  it('that are not there are refused by name, with file, line and the version of the lock file', async () => {
    const lock = { lockfileVersion: 3, packages: { '': {}, 'node_modules/lodash': { version: '4.17.21' } } };
    const files = { 'a.ts': "\nimport { pick } from 'lodash/fp'; pick();", 'package-lock.json': json(lock) };
    const [error] = await errors("import './a'; export const handler = 1;", files);
    expect(error).toMatchObject({ file: 'a.ts', line: 2, column: 22 });
    expect(error!.text).toMatch(/Cannot import "lodash\/fp": .*no package is fetched.*node_modules\/lodash.*4\.17\.21/);
  });

  it('need what a bot has not, and say where', async () => {
    const files = { ...p('p', { main: 'm.js' }), 'node_modules/p/m.js': "\nconst net = require('net');" };
    expect(await errors("import 'p'; export const handler = 1;", files)).toMatchObject([
      { file: 'node_modules/p/m.js', line: 2, text: expect.stringContaining('no files, sockets and processes') },
    ]);
  });

  it('are those of the lock file, or refused', async () => {
    const lock = { packages: { 'node_modules/p': { version: '1.0.1' } } };
    const files = { ...p('p', {}), 'node_modules/p/index.js': 'exports.a = 1;' };
    expect(await errors(importing('p'), { ...files, 'package-lock.json': json(lock) })).toMatchObject([
      { file: 'node_modules/p/package.json', text: expect.stringContaining('1.0.1') },
    ]);
    lock.packages['node_modules/p'].version = '1.0.0';
    expect(await run(importing('p'), { ...files, 'package-lock.json': json(lock) })).toBe(1);
    for (const other of ['yarn.lock', 'pnpm-lock.yaml'])
      expect(await errors(importing('p'), { ...files, [other]: '' })).toMatchObject([{ file: other }]);
  });
});

it('so many imports that the compiler would ask for ever are refused', async () => {
  const source = `${Array.from({ length: 60_000 }, (_, at) => `import './f${at}';`).join('\n')}\nexport const handler = 1;`;
  expect(await errors(source, { 'f.ts': '' })).toMatchObject([{ text: 'A bot has at most 10,000 imports' }]);
});
