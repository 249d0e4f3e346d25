import { type ChainedRow, type ChainLine, HEAD_TYPE, type Head, linkText, NO_HASH } from './chain.ts';

/** Where the chain does not hold, and how it is seen. `seq` is the place; 0 where it is about a head alone. */
export type Break = {
  seq: number;
  what: 'edited' | 'deleted' | 'gap' | 'start' | 'newest' | 'rewritten' | 'signature' | 'line';
  text: string;
};

export type ChainReport = {
  /** Whether everything holds that was looked at, and a head says so. */
  holds: boolean;
  rows: number;
  first: number;
  last: number;
  heads: number;
  /** What the newest head that holds says. */
  head: Head | undefined;
  /** The first of them; `more`: how many besides. */
  breaks: Break[];
  more: number;
};

/** JSON Web Keys that may have signed. */
export type PublicKey = { kid?: string; kty?: string; crv?: string; x?: string; y?: string };

export type ChainInput = {
  /** An exported chain, line by line. */
  lines: AsyncIterable<string> | Iterable<string>;
  keys: readonly PublicKey[];
  /** Heads that were kept elsewhere, as JWS. */
  kept?: readonly string[];
  /** Told how many rows were looked at. */
  came?: (rows: number) => void;
};

const MOST_BREAKS = 50;
const TELL_EVERY = 1000;

type Place = Extract<ChainLine, { seq: number }>;
type Trusted = { head: Head; isKept: boolean };

/** How far it was looked at. `wanted`: rows that heads name, with what their hash is to be. */
type State = {
  breaks: Break[];
  heads: Trusted[];
  newest: Head | undefined;
  wanted: Map<number, Trusted[]>;
  anchors: Set<string>;
  first: number;
  seq: number;
  hash: string | undefined;
  rows: number;
};

/**
 * Whether an exported chain holds: each row hashes to what its place says and follows the one before, no number is missing, it begins where
 * the head says (and a row of the chain tells that retention dropped what was before), and every head is signed by a key and stands on the
 * very row that it names. A head that was kept elsewhere shows that the newest rows, or all hashes with them, were replaced. Reads the lines
 * once, and keeps none.
 */
export async function verifyChain({ lines, keys, kept = [], came }: ChainInput): Promise<ChainReport> {
  const state: State = {
    ...{ breaks: [], heads: [], newest: undefined, wanted: new Map(), anchors: new Set() },
    ...{ first: 0, seq: 0, hash: undefined, rows: 0 },
  };
  for (const jws of kept) await takeHead(state, jws, { keys, isKept: true });
  for await (const text of lines) {
    if (text.trim() === '') continue;
    const line = readLine(text);
    if (!line) note(state, state.seq, 'line', `What stands after row ${state.seq} is no line of a chain`);
    else if (line.kind === 'head') await takeHead(state, line.jws, { keys, isKept: false });
    else await takePlace(state, line);
    if (state.rows % TELL_EVERY === 1) came?.(state.rows);
  }
  checkEnds(state);
  const { breaks, rows, first, seq: last, heads, newest: head } = state;
  return {
    ...{ holds: breaks.length === 0 && rows > 0, rows, first, last, heads: heads.length, head },
    breaks: breaks.slice(0, MOST_BREAKS),
    more: Math.max(0, breaks.length - MOST_BREAKS),
  };
}

function note({ breaks }: State, seq: number, what: Break['what'], text: string): void {
  breaks.push({ seq, what, text });
}

async function takeHead(
  state: State,
  jws: string,
  { keys, isKept }: { keys: readonly PublicKey[]; isKept: boolean },
): Promise<void> {
  const head = await openHead(jws, keys);
  if (typeof head === 'string') {
    note(state, 0, 'signature', head);
    return;
  }
  const { newest, heads, wanted } = state;
  if (newest && newest.project !== head.project) {
    note(state, 0, 'signature', 'A head is of another project');
    return;
  }
  heads.push({ head, isKept });
  wanted.set(head.seq, [...(wanted.get(head.seq) ?? []), { head, isKept }]);
  const isNewer = !newest || head.seq > newest.seq || (head.seq === newest.seq && head.start.seq > newest.start.seq);
  if (isNewer) state.newest = head;
}

async function takePlace(state: State, line: Place): Promise<void> {
  const { seq } = line;
  if (state.rows === 0) state.first = seq;
  else if (seq !== state.seq + 1) {
    const one = state.seq + 2 === seq;
    note(state, seq, 'gap', one ? `Row ${seq - 1} is missing` : `Rows ${state.seq + 1} to ${seq - 1} are missing`);
  }
  const previous = state.hash ?? state.newest?.start.hash ?? NO_HASH;
  const isNext = state.rows === 0 || seq === state.seq + 1;
  if (line.kind === 'gone') note(state, seq, 'deleted', `Row ${seq} (${line.id}) was deleted`);
  else {
    const hash = await hashOf(state.newest?.project ?? '', seq, line, previous);
    if (isNext && hash !== line.hash)
      note(state, seq, 'edited', `Row ${seq} (${line.id}, ${line.action}) was changed, or the one before it replaced`);
    if (line.action === 'audit.sweep') state.anchors.add(anchorOf(line.after));
  }
  for (const { head, isKept } of state.wanted.get(seq) ?? []) {
    if (head.hash !== line.hash)
      note(
        state,
        seq,
        'rewritten',
        `${whose(isKept)} has another hash for row ${seq}: it, or rows before it, were replaced`,
      );
  }
  Object.assign(state, { seq, hash: line.hash, rows: state.rows + 1 });
}

function checkEnds(state: State): void {
  const { heads, newest, seq, first, rows, anchors } = state;
  for (const { head, isKept } of heads) {
    if (head.seq <= seq) continue;
    const text = `${whose(isKept)} reaches to row ${head.seq}: the newest ${head.seq - seq} are missing`;
    note(state, head.seq, 'newest', text);
  }
  if (!newest) {
    note(state, seq, 'signature', 'No head says where the chain ended: its newest rows may be missing');
    return;
  }
  const { start } = newest;
  if (rows > 0 && first !== start.seq + 1)
    note(state, first, 'start', `The chain begins at row ${first}, and not at ${start.seq + 1}`);
  // What retention drops it tells of, in a row that comes after.
  else if (start.seq > 0 && !anchors.has(`${start.seq} ${start.hash}`))
    note(state, start.seq, 'start', `Rows up to ${start.seq} are gone, and no row says that retention dropped them`);
}

function whose(isKept: boolean): string {
  return isKept ? 'The head that was kept' : 'A signed head';
}

function readLine(text: string): ChainLine | undefined {
  try {
    const line = JSON.parse(text) as ChainLine;
    if (line.kind === 'head') return typeof line.jws === 'string' ? line : undefined;
    const isPlace = Number.isSafeInteger(line.seq) && typeof line.hash === 'string';
    return isPlace && (line.kind === 'row' || line.kind === 'gone') ? line : undefined;
  } catch {
    return undefined;
  }
}

async function hashOf(projectId: string, seq: number, row: ChainedRow, previous: string): Promise<string> {
  const bytes = new TextEncoder().encode(linkText(projectId, seq, row, previous));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function anchorOf(after: string | null): string {
  try {
    const { start } = JSON.parse(after ?? '{}') as { start?: Head['start'] };
    return start ? `${start.seq} ${start.hash}` : '';
  } catch {
    return '';
  }
}

/** What the head says, or why it is not to be believed. */
async function openHead(jws: string, keys: readonly PublicKey[]): Promise<Head | string> {
  const [head = '', payload = '', signature = '', ...more] = jws.trim().split('.');
  try {
    const { alg, kid, typ } = JSON.parse(textOf(head)) as { alg?: string; kid?: string; typ?: string };
    if (more.length > 0 || alg !== 'ES256' || typ !== HEAD_TYPE) return 'A head is not one of ours';
    const jwk = keys.find((key) => key.kid === kid);
    if (!jwk) return `The key ${kid} of a head is not among the keys of the server`;
    const { kty, crv, x, y } = jwk;
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, algorithm, false, ['verify']);
    const signed = new TextEncoder().encode(`${head}.${payload}`);
    const isSound = await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, bytesOf(signature), signed);
    return isSound ? (JSON.parse(textOf(payload)) as Head) : 'The signature of a head is wrong';
  } catch {
    return 'A head cannot be read';
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0));
}

function textOf(text: string): string {
  return new TextDecoder().decode(bytesOf(text));
}
