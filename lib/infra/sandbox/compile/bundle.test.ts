import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundleBot } from './bundle.ts';

const firstError = async (source: string, filename = 'index.ts') => {
  const result = await bundleBot('project-1', { source, filename });
  if (result.ok) throw new Error('expected an error');
  return result.errors[0]!;
};

describe('bundleBot', () => {
  it.each([
    [
      'TypeScript',
      'index.ts',
      'export async function handler(m: unknown, e: { input: string }): Promise<string> { return e.input; }',
    ],
    ['a constant', 'index.ts', 'export const handler = () => 1;'],
    ['JavaScript', 'index.js', 'export async function handler(medplum, event) { return event.input; }'],
    ['CommonJS', 'index.js', 'exports.handler = async (medplum, event) => event.input;'],
    [
      'compiled CommonJS',
      'index.cjs',
      'Object.defineProperty(exports, "__esModule", { value: true }); exports.handler = handler; function handler() {}',
    ],
  ])('takes %s', async (_, filename, source) => {
    expect(await bundleBot('project-1', { source, filename })).toMatchObject({ ok: true });
  });

  it('erases types, and gives all of @medplum/core', async () => {
    const source = `
      import { BotEvent, getReferenceString, MedplumClient } from '@medplum/core';
      import type { Patient } from '@medplum/fhirtypes';
      export const handler = async (m: MedplumClient, e: BotEvent<Patient>) => getReferenceString(e.input);`;
    expect(await bundleBot('project-1', { source, filename: 'index.ts' })).toMatchObject({ ok: true });
    const required = 'const { Hl7Message } = require("@medplum/core"); exports.handler = () => Hl7Message.parse("");';
    expect(await bundleBot('project-1', { source: required, filename: 'index.js' })).toMatchObject({ ok: true });
  });

  it('points at a name that @medplum/core does not have', async () => {
    const error = await firstError(
      "import { NoSuchClient } from '@medplum/core';\nexport const handler = () => new NoSuchClient();",
    );
    expect(error).toMatchObject({
      line: 1,
      column: 10,
      file: 'index.ts',
      text: expect.stringContaining('"NoSuchClient"'),
    });
  });

  it('takes no file of the server along by a name that is made, and does not say what there is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'server-'));
    try {
      await writeFile(join(folder, 'one.json'), '{"key":"of-the-server"}');
      await writeFile(join(folder, 'two.txt'), 'of-the-server');
      const here = `${'../'.repeat(40)}${folder.slice(1)}`;
      const told = [
        `require('${here}/' + e.name + '.json')`,
        `import(\`${here}/\${e.name}.txt\`)`,
        `require('${here}/three' + e.name)`,
        `require('${here}/no-such/' + e.name)`,
        `require('${here}/' + e.name)`,
      ].map((call) => firstError(`export const handler = (m, e) => { try { return ${call}; } catch {} };`));
      const texts = (await Promise.all(told)).map(({ text }) => text);
      expect(new Set(texts)).toEqual(new Set([expect.stringContaining('is written out whole')]));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it.each([
    ['a Node module', "import fs from 'node:fs';\nexport const handler = () => fs;", 'node:fs', 1, 16],
    ['a package', "export const handler = 1;\nconst é = 'é', x = require('axios');", 'axios', 2, 28],
    ['a file', "import x from './other';\nexport const handler = () => x;", './other', 1, 15],
    ['an absolute path', "import x from '/etc/passwd';\nexport const handler = () => x;", '/etc/passwd', 1, 15],
    ['a dynamic import', "export const handler = () => import('os');", 'os', 1, 37],
    ['the build’s own names', "import x from 'bot:source';\nexport const handler = () => x;", 'source', 1, 15],
  ])('refuses to import %s, naming it and its place', async (_, source, name, line, column) => {
    const error = await firstError(source);
    expect(error).toMatchObject({
      text: expect.stringContaining(`Cannot import "${name}": `),
      line,
      column,
    });
  });

  it('points at a syntax error', async () => {
    expect(await firstError('export async function handler() {\n  return 1 +;\n}')).toMatchObject({
      line: 2,
      column: 13,
    });
    expect((await firstError('await 1;\nexport const handler = 1;')).text).toContain('Top-level await');
  });

  it.each(['export const handle = 1;', 'export default async () => 1;', 'async function handler() {}', ''])(
    'refuses a source without a handler: %j',
    async (source) => expect((await firstError(source)).text).toContain('export a function named handler'),
  );

  it('reports every wrong import, not only the first', async () => {
    const result = await bundleBot('project-1', {
      source: "import 'a';\nimport 'b';\nexport const handler = 1;",
      filename: 'index.ts',
    });
    expect(result).toMatchObject({ ok: false, errors: [{ line: 1 }, { line: 2 }] });
  });

  it('refuses more than 5 MiB', async () => {
    expect((await firstError(`//${'x'.repeat(5 * 1024 * 1024)}`)).text).toContain('larger than 5 MiB');
  });

  it('a source that breaks the compiler is refused, and costs nobody else a build', async () => {
    const fine = { source: 'exports.handler = () => 1;', filename: 'index.js' };
    const breaking = { source: `exports.handler = () => ${'['.repeat(600_000)}`, filename: 'index.js' };
    const [broken, ...others] = await Promise.all([
      bundleBot('project-1', breaking),
      bundleBot('project-1', fine),
      bundleBot('project-1', fine),
    ]);
    expect(broken).toMatchObject({ ok: false, errors: [{ text: expect.stringContaining('nested too deeply') }] });
    expect(others.map(({ ok }) => ok)).toEqual([true, true]);
    expect(await bundleBot('project-1', fine)).toMatchObject({ ok: true });
  });
});
