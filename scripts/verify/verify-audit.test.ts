import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { type ChainedRow, HEAD_TYPE, linkText, NO_HASH } from '#lib/protocol/audit/chain.ts';
import { verify } from './verify-audit.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'));
const project = newId();
const [chain, keys, head] = ['chain.ndjson', 'keys.json', 'head.jws'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
let lines: string[];

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  writeFileSync(keys, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'k' }] }));
  let hash = NO_HASH;
  const rows = Array.from({ length: 20 }, (_, index) => {
    const row: ChainedRow = {
      ...{ id: newId(), at: new Date(index).toISOString(), action: 'resource.read', target: 'Patient/ä', outcome: 0 },
      ...{ actor: null, actorMembership: null, loginId: null, onBehalfOf: null, requestId: 'r', remoteAddress: null },
      ...{ before: null, after: '{"version": 1}' },
    };
    hash = createHash('sha256')
      .update(linkText(project, index + 1, row, hash))
      .digest('hex');
    return JSON.stringify({ kind: 'row', seq: index + 1, hash, ...row });
  });
  const signed = await new SignJWT({ project, seq: 20, hash, start: { seq: 0, hash: NO_HASH } })
    .setProtectedHeader({ alg: 'ES256', kid: 'k', typ: HEAD_TYPE })
    .setIssuer('https://gatehouse.example')
    .setIssuedAt()
    .sign(privateKey);
  writeFileSync(head, `${signed}\n`);
  lines = [JSON.stringify({ kind: 'head', jws: signed }), ...rows];
});

/** Asked for its answer, not printed: the process of the tests, its output and its exit code belong to other files as well. */
async function verifyLines(
  given: string[],
  args: string[] = ['--keys', keys],
): Promise<{ said: string; code: number }> {
  writeFileSync(chain, `${given.join('\n')}\n`);
  const { text, exitCode } = await verify([chain, ...args]);
  return { said: text, code: exitCode };
}

test('a chain that holds: how many rows, and who signed when; the keys from a file or an address', async () => {
  const { said, code } = await verifyLines(lines, ['--keys', keys, '--head', head]);
  expect(said).toMatch(/^✓ The chain holds: 20 rows, 1 to 20, 2 heads, signed \S+ by https:\/\/gatehouse.example$/);
  expect(code).toBe(0);
  const server = createServer((_, answer) => answer.end(readFileSync(keys))).listen(0);
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  expect((await verifyLines(lines, ['--keys', `http://127.0.0.1:${port}/keys`])).said).toMatch(/✓ The chain holds/);
});

test('where it breaks, and it ends with 1', async () => {
  const edited = lines.with(7, lines[7]!.replace('Patient/ä', 'Patient/b'));
  const { said, code } = await verifyLines(edited);
  expect(said).toMatch(/^✗ Row 7 \(\S+ resource.read\) was changed[\s\S]*✗ The chain does not hold/);
  expect(code).toBe(1);
  expect((await verifyLines(lines.toSpliced(9, 2))).said).toMatch(/^✗ Rows 9 to 10 are missing/);
  expect((await verifyLines(lines.slice(0, -3))).said).toMatch(
    /^✗ A signed head reaches to row 20: the newest 3 are missing/,
  );
  expect((await verifyLines(lines.slice(1, -3), ['--keys', keys, '--head', head])).said).toMatch(
    /The head that was kept reaches to row 20/,
  );
});

test('says how it is called', async () => {
  for (const args of [[], ['--keys'], ['--nosuch']])
    await expect(verify(args)).rejects.toThrow('Usage: npm run verify-audit');
  await expect(verify([join(folder, 'none'), '--keys', keys])).rejects.toThrow('ENOENT');
});
