import { open, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type ChainReport, type PublicKey, verifyChain } from '#lib/protocol/audit/verify-chain.ts';
import { refuse } from '../progress.mjs';

const USAGE =
  'npm run verify-audit -- <exported chain> --keys <address or file of a JWKS> [--head <file of a kept head>]…';

/**
 * `npm run verify-audit`: whether an exported audit chain holds (docs/audit.md), against the keys of the server and heads that were kept.
 * Needs neither the server nor a database. Ends with 1 where it does not hold.
 */
export async function run(args: string[]): Promise<void> {
  const { text, exitCode } = await verify(args);
  console.log(text);
  if (exitCode !== 0) process.exitCode = exitCode;
}

/** What it says, and what it ends with. */
export async function verify(args: string[]): Promise<{ text: string; exitCode: 0 | 1 }> {
  const { positionals, values } = read(args);
  const [file] = positionals;
  if (positionals.length !== 1 || !file || !values.keys) refuse(`Usage: ${USAGE}`);
  const report = await verifyFile(file!, values.keys!, values.head).catch((error: Error) => refuse(error.message));
  return { text: toText(report), exitCode: report.holds ? 0 : 1 };
}

function read(args: string[]) {
  const options = { keys: { type: 'string' }, head: { type: 'string', multiple: true } } as const;
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch {
    return refuse(`Usage: ${USAGE}`);
  }
}

async function verifyFile(file: string, keys: string, heads: string[] = []): Promise<ChainReport> {
  const kept = await Promise.all(heads.map(async (head) => (await readFile(head, 'utf8')).trim()));
  const known = await readKeys(keys);
  const handle = await open(file);
  return verifyChain({ lines: handle.readLines(), keys: known, kept });
}

async function readKeys(place: string): Promise<PublicKey[]> {
  const text = /^https?:/.test(place) ? await (await fetch(place)).text() : await readFile(place, 'utf8');
  const { keys } = JSON.parse(text) as { keys?: PublicKey[] };
  return keys ?? refuse(`${place} is no JWKS`);
}

function toText({ holds, rows, first, last, heads, head, breaks, more }: ChainReport): string {
  const when = head ? `, signed ${new Date(head.iat * 1000).toISOString()} by ${head.iss}` : '';
  const lines = breaks.map(({ text }) => `✗ ${text}`);
  if (more > 0) lines.push(`✗ and ${more} more`);
  const whole = `${rows} rows, ${first} to ${last}, ${heads} heads${when}`;
  return [...lines, holds ? `✓ The chain holds: ${whole}` : `✗ The chain does not hold: ${whole}`].join('\n');
}
