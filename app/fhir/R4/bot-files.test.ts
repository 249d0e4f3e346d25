import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const FILES = [
  {
    filename: 'src/index.ts',
    content: `import { BotEvent, MedplumClient } from '@medplum/core';
import { twice } from './twice';
import { unit } from './units.json';
export const handler = async (medplum: MedplumClient, event: BotEvent) => ({ weight: twice(event.input.n) + unit });`,
  },
  { filename: 'src/twice.ts', content: "import times from 'times';\nexport const twice = (n: number) => times(n, 2);" },
  { filename: 'src/units.json', content: '{ "unit": "kg" }' },
  {
    filename: 'node_modules/times/package.json',
    content: '{ "name": "times", "version": "1.0.0", "main": "lib/times.js" }',
  },
  {
    filename: 'node_modules/times/lib/times.js',
    content:
      "module.exports = (a, b) => {\n  if (typeof a !== 'number') throw new Error('no number');\n  return a * b;\n};",
  },
  {
    filename: 'package-lock.json',
    content: '{ "lockfileVersion": 3, "packages": { "node_modules/times": { "version": "1.0.0" } } }',
  },
];

async function newBot(): Promise<string> {
  return (await world.call('POST', '/bot', { body: { name: 'Many files' } })).body.id;
}
const deploy = (bot: string, body: object) =>
  callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$deploy`, { body: body as Record<string, unknown> });
const run = (bot: string, input: object) =>
  callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, {
    body: input as Record<string, unknown>,
    headers: { 'content-type': 'application/json' },
  });

describe('a bot of many files', () => {
  test('runs, with the packages that came along; the stack of an error has the file and line of each', async () => {
    const bot = await newBot();
    expect((await deploy(bot, { files: FILES })).status).toBe(200);
    expect((await run(bot, { n: 30.5 })).body).toEqual({ weight: '61kg' });
    const dry = await world.call('POST', `/bots/${bot}/dry-run`, {
      body: { input: { contentType: 'application/json', body: '{"n":"x"}' } },
    });
    const [, ...frames] = dry.body.failure.stack.split('\n');
    expect(frames.slice(0, 3).map((frame: string) => /\(?([^ (]+):\d+\)?$/.exec(frame)?.[1])).toEqual([
      'node_modules/times/lib/times.js:2',
      'src/twice.ts:2',
      'src/index.ts:4',
    ]);
  });

  test('a deploy without code keeps the name of a single file, by which it is what it is', async () => {
    const bot = await newBot();
    const code = 'const [a, b, c] = [1, 2, 3];\nexports.handler = () => String(a<b>(c));';
    expect((await deploy(bot, { code, filename: 'index.js' })).status).toBe(200);
    expect((await run(bot, {})).text).toBe('false');
    expect((await deploy(bot, {})).status).toBe(200);
    expect((await run(bot, {})).text).toBe('false');
    const { body } = await world.call('GET', `/bots/${bot}/versions/2`);
    expect([body.filename, body.source]).toEqual(['index.js', code]);
  });

  test('keeps all of them in each version, through a rollback and a deploy without code', async () => {
    const bot = await newBot();
    await deploy(bot, { files: FILES });
    await deploy(bot, { code: 'exports.handler = () => 0;', filename: 'index.js' });
    const [entry, ...others] = FILES;
    const version = (number: number) => world.call('GET', `/bots/${bot}/versions/${number}`);
    expect((await version(1)).body).toMatchObject({ filename: 'src/index.ts', source: entry!.content, files: others });
    expect((await version(2)).body.files).toBeUndefined();
    await world.call('POST', `/bots/${bot}/rollback`, { body: { number: 1 } });
    expect((await version(3)).body).toMatchObject({ files: others });
    expect((await run(bot, { n: 1 })).body).toEqual({ weight: '2kg' });
    expect((await deploy(bot, {})).status).toBe(200);
    expect((await version(4)).body).toMatchObject({ filename: 'src/index.ts', files: others, source: entry!.content });
    const { rows } = (await world.call('GET', `/bots/${bot}/versions`)).body;
    expect(rows[0].bytes).toBe((await version(4)).body.bytes);
    const source = await world.call('GET', `/bots/${bot}/source`);
    expect(source.body).toMatchObject({ filename: 'src/index.ts', files: others, from: 4 });
  });

  test('has its handler in code, where that is there', async () => {
    const bot = await newBot();
    const code =
      "import { twice } from './src/twice'; export const handler = (medplum, event) => twice(event.input.n);";
    expect((await deploy(bot, { code, filename: 'index.ts', files: FILES })).status).toBe(200);
    expect((await run(bot, { n: 2 })).body).toBe(4);
    const body = { code, files: FILES, input: { contentType: 'application/json', body: '{"n":3}' } };
    expect((await world.call('POST', `/bots/${bot}/dry-run`, { body })).body.output.text).toBe('6');
    expect((await world.call('POST', `/bots/${bot}/check`, { body: { code, files: FILES } })).body).toEqual({
      samples: [],
      wants: { added: [], refused: [], removed: [], unclear: [] },
    });
  });

  test('its samples are run with its files before it is live', async () => {
    const bot = await newBot();
    const input = { contentType: 'application/json', body: '{"n":2}' };
    const body = { name: 'two', input, expects: { output: [{ path: 'weight', value: '4kg' }] } };
    const made = await world.call('POST', `/bots/${bot}/samples`, { body });
    expect(made.status, made.text).toBe(201);
    const answer = await deploy(bot, { files: FILES });
    expect(answer.text).toContain('Sample two is');
  });
});

test('the example of docs/bots.md runs', async () => {
  const docs = await readFile('docs/bots.md', 'utf8');
  const [, example] = /### Many files, and packages[\s\S]*?```json\n([\s\S]*?)```/.exec(docs)!;
  const bot = await newBot();
  expect((await deploy(bot, JSON.parse(example!))).status).toBe(200);
  expect((await run(bot, { n: 21 })).body).toBe(42);
});

describe('400', () => {
  const one = (filename: string) => [{ filename, content: '' }];
  test.each<[string, object, string]>([
    ['no files', { files: [] }, 'files'],
    ['too many', { files: Array.from({ length: 2001 }, (_, at) => ({ filename: `${at}.ts`, content: '' })) }, 'files'],
    ['one without content', { files: [{ filename: 'index.ts' }] }, 'files[0].content'],
    ['a name twice', { files: [...FILES, FILES[0]] }, 'files[6].filename'],
    ['the name of the code twice', { code: '', filename: 'src/index.ts', files: FILES }, 'filename'],
    ['no handler that is obvious', { files: one('a.ts') }, 'filename'],
    ['a handler that is not there', { files: FILES, filename: 'other.ts' }, 'filename'],
    ['a name of its own folder', { files: FILES, filename: './src/index.ts' }, 'filename'],
    ...[
      '/a.ts',
      '../a.ts',
      'a/../b.ts',
      './a.ts',
      'a//b.ts',
      'a\\b.ts',
      'c:a.ts',
      '',
      'a\nb.ts',
      `${'a/'.repeat(16)}b.ts`,
      `${'a'.repeat(254)}.ts`,
    ].map((name): [string, object, string] => [
      `a name that is no plain path: ${JSON.stringify(name).slice(0, 20)}`,
      { files: one(name) },
      'files[0].filename',
    ]),
  ])('%s', async (_, body, expression) => {
    expectOutcome(await deploy(await newBot(), body), 400, expression);
  });

  test('a package that is not among the files is refused with its name, file and line', async () => {
    const files = FILES.filter(({ filename }) => !filename.startsWith('node_modules/'));
    const answer = await deploy(await newBot(), { files });
    expectOutcome(answer, 400, 'code');
    expect(answer.body.issue[0].details.text).toMatch(/^src\/twice\.ts:1:19: Cannot import "times": .*1\.0\.0/);
  });

  test('as Parameters there are no files', async () => {
    const parameter = [{ name: 'files', valueString: 'x' }];
    expectOutcome(await deploy(await newBot(), { resourceType: 'Parameters', parameter }), 400, 'files');
  });
});

test('413: all of them together have at most 5 MiB', async () => {
  const files = ['index.ts', 'a.ts', 'b.ts'].map((filename) => ({ filename, content: 'x'.repeat(1_800_000) }));
  expectOutcome(await deploy(await newBot(), { files }), 413, 'files');
});
