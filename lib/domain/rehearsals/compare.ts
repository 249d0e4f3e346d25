import type { DryRun } from '#lib/protocol/bots/dry-run.ts';
import type { Expectation, ExpectedValue, SampleDifference } from '#lib/protocol/bots/samples.ts';
import { isSameJson } from '#lib/protocol/json/json.ts';

const MOST = 50;

/** What of a run is not as its sample expects. */
export function compare(run: DryRun, { ok, output = [], writes }: Expectation): SampleDifference[] {
  const differences: SampleDifference[] = [];
  if (run.ok !== ok) differences.push({ at: 'ok', expected: ok, found: run.failure?.message ?? true });
  if (run.ok === ok) differences.push(...compareValues('output', output, toValue(run)));
  if (writes && !differences.some(({ at }) => at === 'ok')) differences.push(...compareWrites(run, writes));
  return differences.slice(0, MOST);
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
function toValue({ output, failure }: DryRun): unknown {
  if (!output) return failure?.outcome ?? failure?.message;
  if (output.kind === 'string' || output.kind === 'hl7') return output.text;
  if (output.text === '') return null;
  return JSON.parse(output.text);
}
