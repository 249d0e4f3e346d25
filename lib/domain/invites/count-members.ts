import type { Queryable } from '#lib/infra/db/client.ts';
import { CONTROLS, isIgnored } from '#lib/protocol/fhir/search/controls.ts';
import { splitName, splitValues } from '#lib/protocol/fhir/search/values.ts';
import { addUp, statusOf } from '../standing/member-kinds.ts';
import { sumHeld } from '../standing/sum-held.ts';
import { type MemberSum, sumMembers } from '../standing/sum-members.ts';

type Params = readonly (readonly [string, string])[];
type Test = (sum: MemberSum) => boolean;

/** What a search for members may ask for, of what they are counted by. */
const COUNTED_BY = new Map<string, (sum: MemberSum) => string>([
  ['profile-type', (sum) => sum.profile_type],
  ['active', (sum) => String(sum.active)],
  ['admin', (sum) => String(sum.admin)],
  ['status', statusOf],
]);

/**
 * How to tell the number of all members that a search finds without finding them, and of how many they are. Undefined where it asks for anything that members are not
 * counted by: then they must be found. The parameters are valid.
 */
export function countMembers(
  projectId: string,
  params: Params,
): ((q?: Queryable) => Promise<{ total: number; all: number }>) | undefined {
  const filters = params.filter(([name]) => !CONTROLS.has(name) && !isIgnored(name));
  const held = filters.filter(([name]) => name === 'factor');
  if (held.length > 1) return undefined;
  const tests = filters.filter((one) => !held.includes(one)).map(([name, value]) => toTest(name, value));
  if (!tests.every((test) => test !== undefined)) return undefined;
  return async (q) => {
    const sums = await sumMembers(projectId, q);
    const found = held[0] ? await sumOf(projectId, held[0][1], q) : sums;
    return { total: addUp(found, (sum) => tests.every((test) => test(sum))), all: addUp(sums, () => true) };
  };
}

/** Of a value of `factor`: who has a passkey has something, too. */
async function sumOf(projectId: string, value: string, q?: Queryable): Promise<MemberSum[]> {
  const words = splitValues('factor', value).map((parts) => parts.join('|'));
  const parts: ('none' | 'any' | 'passkey')[] = [];
  if (words.includes('none')) parts.push('none');
  if (words.includes('any')) parts.push('any');
  else if (words.includes('passkey')) parts.push('passkey');
  return (await Promise.all(parts.map((part) => sumHeld(projectId, part, q)))).flat();
}

function toTest(name: string, value: string): Test | undefined {
  const [code, modifier] = splitName(name);
  const of = COUNTED_BY.get(code);
  if (!of || (modifier !== undefined && modifier !== 'not')) return undefined;
  const values = splitValues(name, value);
  // `system|code` is left to those who know systems.
  if (values.some((parts) => parts.length > 1)) return undefined;
  const wanted = values.flat();
  return (sum) => wanted.includes(of(sum)) === (modifier === undefined);
}
