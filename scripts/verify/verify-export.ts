import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type EndLine, type Manifest, PROJECT_FILE } from '#lib/protocol/transfer/lines.ts';
import { refuse } from '../progress.mjs';

const USAGE = 'npm run verify-export -- <exported project>';
const LINE_END = 10;

/**
 * `npm run verify-export`: whether the file of a project (docs/projects.md) is whole and as it was made. Needs neither the server nor a
 * database, and no more memory than its longest line. Ends with 1 where it is not.
 */
export async function run(args: string[]): Promise<void> {
  const [file, ...more] = args;
  if (!file || more.length > 0 || file.startsWith('-')) refuse(`Usage: ${USAGE}`);
  const fault = await findFault(file!).catch((error: Error) => refuse(error.message));
  if (typeof fault === 'string') {
    console.log(`✗ ${fault}`);
    process.exitCode = 1;
    return;
  }
  const { manifest, end } = fault;
  const { name, id } = manifest.project;
  console.log(`✓ The file is whole: ${name} (${id}) of ${manifest.source} as of ${manifest.asOf}, ${end.lines} lines`);
}

type Whole = { manifest: Manifest; end: EndLine };

/** What is wrong with it, or both of its ends. The last line is hashed into nothing: it is held back until another has come. */
async function findFault(file: string): Promise<string | Whole> {
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let [lines, first, held] = [0, undefined as unknown, undefined as Buffer | undefined];
  for await (const line of linesOf(file)) {
    if (held) {
      hash.update(held);
      const parsed = parse(held);
      if (lines === 0) first = parsed;
      lines += 1;
      const kind = (parsed as { kind?: unknown } | undefined)?.kind;
      if (typeof kind !== 'string') return `Line ${lines} is no line of such a file`;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
    held = line;
  }
  const manifest = first as Manifest | undefined;
  if (manifest?.kind !== 'manifest' || manifest.format !== PROJECT_FILE.format)
    return 'This is not the file of a project';
  if (manifest.version !== PROJECT_FILE.version)
    return `This is version ${manifest.version} of such files, which is not known here`;
  const end = held && (parse(held) as EndLine | undefined);
  if (end?.kind !== 'end' || held?.at(-1) !== LINE_END) return 'The file was cut: its last line is missing';
  if (end.lines !== lines) return `The file was altered: it has ${lines} lines, and had ${end.lines}`;
  for (const kind of new Set([...Object.keys(counts), ...Object.keys(end.counts)]))
    if (counts[kind] !== end.counts[kind])
      return `The file was altered: it has ${counts[kind] ?? 0} lines “${kind}”, and had ${end.counts[kind] ?? 0}`;
  if (end.sha256 !== hash.digest('hex')) return 'The file was altered: its bytes are not those that were exported';
  return { manifest, end };
}

/** With their ends. Node's own reader of lines takes further characters for an end, which stand in texts. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, at + 1)]);
      begun = [];
      from = at + 1;
    }
    if (from < chunk.length) begun.push(chunk.subarray(from));
  }
  if (begun.length > 0) yield Buffer.concat(begun);
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}
