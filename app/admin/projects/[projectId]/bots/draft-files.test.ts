import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

afterAll(stopRunner);
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const CODE = "import { twice } from './lib/twice'; export const handler = (medplum, event) => twice(event.input.n);";
const FILES = [
  { filename: 'src/lib/twice.ts', content: 'export const twice = (n: number) => 2 * n;' },
  { filename: 'package.json', content: '{ "name": "two" }' },
];
const TYPED = { contentType: 'text/typescript' };
const DRAFT = { code: CODE, filename: 'src/index.ts', files: FILES };

async function newBot(): Promise<string> {
  return (await world.call('POST', '/bot', { body: { name: 'Draft of many' } })).body.id;
}
const save = (bot: string, body: object, ifMatch?: string) =>
  world.call('PUT', `/bots/${bot}/source`, {
    body: body as Record<string, unknown>,
    ...(ifMatch && { headers: { 'if-match': ifMatch } }),
  });
const read = async (bot: string) => (await world.call('GET', `/bots/${bot}/source`)).body;
const deploy = (bot: string, body: object) =>
  callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$deploy`, { body: body as Record<string, unknown> });
const isElsewhere = async (bot: string) => (await world.call('GET', `/bots/${bot}/versions`)).body.elsewhere;
const rowOf = async (bot: string) =>
  (await world.call('GET', '/bots')).body.rows.find(({ id }: { id: string }) => id === bot);

test('a draft keeps all of its files, apart from what is live', async () => {
  const bot = await newBot();
  await deploy(bot, { code: 'exports.handler = () => 1;', filename: 'index.js' });
  const saved = await save(bot, DRAFT);
  expect(saved.status, saved.text).toBe(200);
  expect(await read(bot)).toEqual({ ...DRAFT, from: null, version: saved.body.version });
  expect(await rowOf(bot)).toMatchObject({ live: 1, draft: true });
  const { body } = await callApi(world.owner.bearer, 'GET', `/fhir/R4/Bot/${bot}`);
  expect(JSON.stringify(body.sourceCode)).not.toContain('twice = (n');
});

test('only over what one has seen, also where no more than another file has changed', async () => {
  const bot = await newBot();
  const first = await save(bot, DRAFT);
  const second = await save(bot, { ...DRAFT, files: [FILES[0]] }, first.headers.get('etag')!);
  expect(second.body.version).toBe(first.body.version + 1);
  expectOutcome(await save(bot, DRAFT, first.headers.get('etag')!), 412);
  expect((await read(bot)).files).toEqual([FILES[0]]);
  // Nothing has changed: no other version.
  expect((await save(bot, { ...DRAFT, files: [FILES[0]] })).body.version).toBe(second.body.version);
});

test('deployed as it is it stands for what runs; with another file it is a draft again', async () => {
  const bot = await newBot();
  await save(bot, DRAFT);
  expect((await deploy(bot, DRAFT)).status).toBe(200);
  expect(await read(bot)).toMatchObject({ ...DRAFT, from: 1 });
  expect(await rowOf(bot)).toMatchObject({ draft: false });
  expect(await isElsewhere(bot)).toBe(false);
  const changed = [{ ...FILES[0]!, content: 'export const twice = (n: number) => n + n;' }, FILES[1]!];
  await save(bot, { ...DRAFT, files: changed });
  expect(await read(bot)).toMatchObject({ from: null, files: changed });
  expect(await rowOf(bot)).toMatchObject({ draft: true });
  // Past the draft, with the same entry point.
  await deploy(bot, { ...DRAFT, files: [...FILES, { filename: 'more.ts', content: '' }] });
  expect(await isElsewhere(bot)).toBe(true);
  await world.call('POST', `/bots/${bot}/rollback`, { body: { number: 1 } });
  expect(await isElsewhere(bot)).toBe(false);
});

test('a draft without the other files any more is one file; one that says nothing of them has those of what is live', async () => {
  const bot = await newBot();
  await deploy(bot, DRAFT);
  const plain = { code: `// begun\n${CODE}`, filename: 'src/index.ts' };
  await save(bot, plain);
  expect(await read(bot)).toMatchObject({ ...plain, from: null, files: FILES });
  await save(bot, { ...plain, files: [] });
  expect(await read(bot)).toMatchObject({ ...plain, from: null, files: [] });
  await save(bot, { code: CODE, filename: 'src/index.ts', files: [] });
  expect(await read(bot)).toMatchObject({ code: CODE, from: null, files: [] });
  // As the peer's client replaces it.
  const body = [{ op: 'replace', path: '/sourceCode', value: { ...TYPED, title: 'one.ts', data: btoa('// theirs') } }];
  const headers = { 'content-type': 'application/json-patch+json' };
  const patched = await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Bot/${bot}`, { body, headers });
  expect(patched.status, patched.text).toBe(200);
  const theirs = await read(bot);
  expect(theirs).toMatchObject({ code: '// theirs', filename: 'one.ts' });
  expect(theirs.files).toBeUndefined();
});

test('400 and 413 with the field, for names that are none and for too much', async () => {
  const bot = await newBot();
  expectOutcome(await save(bot, { ...DRAFT, files: [{ filename: '../a.ts', content: '' }] }), 400, 'files[0].filename');
  expectOutcome(await save(bot, { ...DRAFT, files: [FILES[0], FILES[0]] }), 400, 'files[1].filename');
  expectOutcome(await save(bot, { ...DRAFT, filename: FILES[0]!.filename }), 400, 'filename');
  expectOutcome(await save(bot, { ...DRAFT, filename: '/index.ts' }), 400, 'filename');
  const large = ['a.ts', 'b.ts', 'c.ts'].map((filename) => ({ filename, content: 'x'.repeat(1_800_000) }));
  expectOutcome(await save(bot, { ...DRAFT, files: large }), 413, 'files');
  expect((await read(bot)).filename).toBe('index.ts');
});
