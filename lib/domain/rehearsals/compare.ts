import type { DryRun } from '#lib/protocol/bots/dry-run.ts';
import type { Expectation, ExpectedValue, SampleDifference } from '#lib/protocol/bots/samples.ts';
import { isSameJson } from '#lib/protocol/json/json.ts';
import { parseInTurns } from '#lib/protocol/json/parse-in-turns.ts';

const MOST = 50;
/** Characters of an output that is compared. */
const MOST_COMPARED = 1024 * 1024;
/** What is longer is parsed in turns. */
const LONG = 64 * 1024;
/** Of a value that is told: characters of its texts, and members, together. */
const MOST_TOLD = 4096;
/** Of a text that is told from where it differs. */
const BEFORE = 80;

/** What of a run is not as its sample expects; of long values a beginning, or how long they are. */
export async function compare(run: DryRun, { ok, output = [], writes }: Expectation): Promise<SampleDifference[]> {
  const differences: SampleDifference[] = [];
  if (run.ok !== ok) differences.push({ at: 'ok', expected: ok, found: run.failure?.message ?? true });
  else if (output.length > 0) differences.push(...(await compareOutput(run, output)));
  if (writes && !differences.some(({ at }) => at === 'ok')) differences.push(...compareWrites(run, writes));
  return differences.slice(0, MOST).map(({ at, expected, found }) => {
    const from = typeof expected === 'string' && typeof found === 'string' ? firstDifference(expected, found) : 0;
    return { at, expected: brief(expected, from), found: brief(found, from) };
  });
}

async function compareOutput(run: DryRun, expected: readonly ExpectedValue[]): Promise<SampleDifference[]> {
  const length = run.output?.text.length ?? 0;
  if (length <= MOST_COMPARED) return compareValues('output', expected, await toValue(run));
  const found = `${length} characters, of which at most ${MOST_COMPARED} are compared`;
  return [{ at: 'output', expected: expected[0]?.value, found }];
}

/** Of long texts that begin alike what comes before is left out, but for a few words. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at += 1;
  return at < MOST_TOLD ? 0 : at - BEFORE;
}

function brief(value: unknown, from = 0): unknown {
  if (typeof value === 'string') {
    const told = value.slice(from, from + MOST_TOLD);
    return `${from > 0 ? '…' : ''}${told}${from + told.length < value.length ? '…' : ''}`;
  }
  if (isShort(value, { left: MOST_TOLD })) return value;
  return Array.isArray(value)
    ? `A list of ${value.length}, too long to be shown`
    : `An object of ${Object.keys(value as object).length} members, too long to be shown`;
}

/** Looks at no more of it than that. */
function isShort(value: unknown, budget: { left: number }): boolean {
  budget.left -= typeof value === 'string' ? value.length : 1;
  if (budget.left < 0) return false;
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, each]) => {
    budget.left -= key.length;
    return isShort(each, budget);
  });
}

function compareWrites({ writes: found }: DryRun, expected: Required<Expectation>['writes']): SampleDifference[] {
  const differences: SampleDifference[] = [];
  for (let at = 0; at < Math.max(expected.length, found.length); at++) {
    const place = `writes[${at}]`;
    const [want, got] = [expected[at], found[at]];
    const wanted = want && `${want.action} ${want.resourceType}`;
    const given = got && `${got.action} ${got.target.split('/')[0]}`;
    if (wanted !== given) differences.push({ at: place, expected: wanted, found: given });
    else differences.push(...compareValues(place, want?.values ?? [], got?.after));
  }
  return differences;
}

function compareValues(place: string, expected: readonly ExpectedValue[], value: unknown): SampleDifference[] {
  return expected.flatMap(({ path, value: wanted }) => {
    const found = valueAt(value, path);
    if (found !== undefined && isSameJson(found, wanted)) return [];
    const at = path === '' || path.startsWith('[') ? `${place}${path}` : `${place}.${path}`;
    return [{ at, expected: wanted, found }];
  });
}

function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof current !== 'object' || current === null) return undefined;
    const key = name ?? index!;
    if (Array.isArray(current) ? index === undefined : !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

/** Texts as they are, JSON as it reads; of a failure what the bot said of it. */
async function toValue({ output, failure }: DryRun): Promise<unknown> {
  if (!output) return failure?.outcome ?? failure?.message;
  const { kind, text } = output;
  if (kind === 'string' || kind === 'hl7') return text;
  if (text === '') return null;
  return text.length > LONG ? parseInTurns(text) : JSON.parse(text);
}
