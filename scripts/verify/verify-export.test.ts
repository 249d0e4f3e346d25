import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { PROJECT_FILE } from '#lib/protocol/transfer/lines.ts';
import { run } from './verify-export.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-export-'));
const file = join(folder, 'project.ndjson');
let text: string;
const projectId = '01a206b6-cea2-72c0-9c15-260bdc201dfa';

beforeAll(() => {
  const manifest = {
    kind: 'manifest',
    ...PROJECT_FILE,
    project: { id: projectId, name: 'Stone Clinic' },
    source: 'https://gatehouse.example',
    asOf: new Date(0).toISOString(),
    versions: { Patient: 2 },
  };
  const lines = [
    manifest,
    { kind: 'person', id: 'p', email: 'olga@example.com' },
    { kind: 'version', type: 'Patient', id: '1', version: 1, content: { name: [{ family: 'Olga' }] } },
    // What some readers of lines take for the end of one.
    { kind: 'version', type: 'Patient', id: '1', version: 2, content: { name: [{ family: 'a\u2028b\u0085c' }] } },
  ];
  const before = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const counts = { manifest: 1, person: 1, version: 2 };
  const sha256 = createHash('sha256').update(before).digest('hex');
  text = `${before}${JSON.stringify({ kind: 'end', lines: 4, counts, sha256 })}\n`;
});

afterEach(() => {
  process.exitCode = undefined;
});

async function verify(given: string): Promise<{ said: string; code: unknown }> {
  writeFileSync(file, given);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await run([file]);
  const said = log.mock.calls.flat().join('\n');
  log.mockRestore();
  return { said, code: process.exitCode };
}

test('a file as it was exported is whole', async () => {
  const { said, code } = await verify(text);
  expect(said).toMatch(/^✓ The file is whole: Stone Clinic \(\S+\) of https\S+ as of \S+, \d+ lines$/);
  expect(said).toContain(projectId);
  expect(code).toBeUndefined();
});

test('one that was cut shows, wherever', async () => {
  const lines = text.trimEnd().split('\n');
  for (const cut of [text.slice(0, -1), text.slice(0, -40), `${lines.slice(0, -1).join('\n')}\n`]) {
    const { said, code } = await verify(cut);
    expect([said, code]).toEqual(['✗ The file was cut: its last line is missing', 1]);
  }
  expect((await verify('')).said).toBe('✗ This is not the file of a project');
  expect((await verify(`${lines[0]}`)).code).toBe(1);
});

test('one that was altered shows: a letter, a line that is gone, come or in another place', async () => {
  const lines = text.trimEnd().split('\n');
  expect((await verify(text.replace('Olga', 'Olgu'))).said).toContain('altered: its bytes');
  expect((await verify(`${lines.toSpliced(2, 1).join('\n')}\n`)).said).toContain('altered: it has');
  expect((await verify(`${lines.toSpliced(2, 0, lines[2]!).join('\n')}\n`)).said).toContain('altered: it has');
  const swapped = lines.with(2, lines[3]!).with(3, lines[2]!);
  expect((await verify(`${swapped.join('\n')}\n`)).said).toContain('altered');
  expect((await verify(`${lines.toSpliced(2, 1, 'x').join('\n')}\n`)).said).toContain('Line 3 is no line');
  expect((await verify(text.replace('"version":1', '"version":2'))).said).toContain('version 2');
});

test('says how it is called', async () => {
  for (const args of [[], ['--nosuch'], ['a', 'b']])
    await expect(run(args)).rejects.toThrow('Usage: npm run verify-export');
  await expect(run([join(folder, 'none')])).rejects.toThrow('ENOENT');
});
