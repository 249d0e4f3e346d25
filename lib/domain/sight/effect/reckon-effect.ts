import { createHash } from 'node:crypto';
import { takeTurns } from '#lib/base/turns.ts';
import { and, type Expr, relatedIn } from '#lib/protocol/fhir/search/ir.ts';
import { resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership, Stored } from '#lib/protocol/fhir/types.ts';
import type { AccessEffect, Counted, GroupEffect, RecordEffect, TypeEffect } from '#lib/protocol/policies/answers.ts';
import type { Actor } from '../../access/context.ts';
import { hasFields } from '../../access/fields.ts';
import { isUnlimited, mayReach, reach } from '../../access/policy.ts';
import { named, resolveNames } from '../../audit/resolve-names.ts';
import type { ToldPolicy } from '../told-policy.ts';
import { type Compared, comparePolicies, type Reached, typesOf } from './compare-policies.ts';
import { countRecords, type Question } from './count-records.ts';
import { typesPresent } from './types-present.ts';

/** A member, and what they may do before and after; those of one `key` have the same of both. */
export type Case = {
  membership: Stored<ProjectMembership>;
  key: string;
  policies: () => Promise<{ before: ToldPolicy; after: ToldPolicy }>;
};

type Of = { isExact: boolean; broken: number };

/** Milliseconds. Members who are not compared by then are left out: it is told of at least so many. */
export const comparing = { ms: 2000 };
const MOST_GROUPS = 100;
const MOST_NAMED = 3;
/** Counts of one preview. */
const MOST_COUNTS = 5000;

/**
 * What a change does to these members: who is given the same and loses the same is one group, of which each is reckoned once. Counted is
 * what the caller may find by a search; where something of a type is hidden from them, nothing of it is. `isExact`: these are all. `broken`: members who
 * are not among them, since nobody could come in by their access.
 */
export async function reckonEffect(
  actor: Actor,
  projectId: string,
  cases: readonly Case[],
  { isExact, broken }: Of,
): Promise<AccessEffect> {
  const turn = takeTurns();
  const byKey = new Map<string, Case[]>();
  for (const each of cases) byKey.set(each.key, [...(byKey.get(each.key) ?? []), each]);
  let present: string[] | undefined;
  const groups: Group[] = [];
  const deadline = performance.now() + comparing.ms;
  let compared = 0;
  for (const members of byKey.values()) {
    await turn();
    if (compared > 0 && performance.now() > deadline) break;
    compared += members.length;
    const { before, after } = await members[0]!.policies();
    const { named: types, all } = typesOf(before, after);
    if (all) present ??= await typesFor(actor, projectId);
    const wanted = [...new Set([...types, ...(all ? present! : [])])].sort();
    const changes: Asking[] = [];
    for (const type of wanted) {
      await turn();
      const compared = comparePolicies(before, after, type);
      if (compared) changes.push(toAsking(compared));
    }
    const isChanged = (of: 'places' | 'into') => JSON.stringify(before.policy[of]) !== JSON.stringify(after.policy[of]);
    const beside = { arePlacesChanged: isChanged('places'), isCompartmentChanged: isChanged('into') };
    if (changes.length > 0 || beside.arePlacesChanged || beside.isCompartmentChanged)
      groups.push({ members, changes, ...beside });
  }
  groups.sort((one, other) => other.members.length - one.members.length);
  const told = groups.slice(0, MOST_GROUPS);
  const count = await counter(actor, projectId, groups);
  const touched = groups.reduce((sum, { members }) => sum + members.length, 0);
  const firsts = told.flatMap(({ members }) => members.slice(0, MOST_NAMED));
  const names = await resolveNames(
    projectId,
    firsts.map(({ membership }) => membership.profile.reference),
  );
  const toParty = ({ membership }: Case) => {
    const reference = membership.profile.reference;
    return { reference: `ProjectMembership/${membership.id}`, display: named(names, reference)?.display ?? null };
  };
  return {
    members: { count: touched, isExact: isExact && compared === cases.length },
    types: [...new Set(groups.flatMap(({ changes }) => changes.map(({ type }) => type)))].sort(),
    groups: told.map(({ members, changes, ...beside }): GroupEffect => {
      const first = members.slice(0, MOST_NAMED).map(toParty);
      return { members: members.length, first, types: changes.map((each) => toEffect(each, count)), ...beside };
    }),
    left: groups.slice(MOST_GROUPS).reduce((sum, { members }) => sum + members.length, 0),
    unchanged: compared - touched,
    broken,
  };
}

/** A question by its key, which is the same for what asks the same; null for one that is too long to be counted. */
type Keyed = { key: string | null; expr: Expr };
/** What both have is asked, too: then each part is one question, which groups share, and what has everything needs no walk for each of them. */
type Parts = { before: Keyed; after: Keyed; both: Keyed };
type Asking = Omit<Compared, 'read' | 'change'> & { read?: Parts | undefined; change?: Parts | undefined };
type Group = { members: Case[]; changes: Asking[]; arePlacesChanged: boolean; isCompartmentChanged: boolean };
type Count = (asked: Keyed) => Counted;

/** A question of more is not counted: to put it takes longer than there is, and nobody else is answered meanwhile. */
const MOST_VALUES = 5000;

function toAsking({ read, change, ...rest }: Compared): Asking {
  return { ...rest, read: read && toParts(rest.type, read), change: change && toParts(rest.type, change) };
}

function toParts(type: string, { before, after }: Reached): Parts {
  return { before: toKeyed(type, before), after: toKeyed(type, after), both: toKeyed(type, and([before, after])) };
}

function toEffect({ read, change, ...rest }: Asking, count: Count): TypeEffect {
  return {
    ...rest,
    ...(read && { read: recordsOf(read, count) }),
    ...(change && { change: recordsOf(change, count) }),
  };
}

function isSame(before: Keyed, after: Keyed): boolean {
  return before.key !== null && before.key === after.key;
}

function recordsOf({ before, after, both }: Parts, count: Count): RecordEffect {
  if (isSame(before, after)) return { gained: 0, lost: 0 };
  const shared = count(both);
  const less = (whole: Counted): Counted => {
    return whole === null || shared === null ? null : Math.max(0, whole - shared);
  };
  // Nothing is lost by who had nothing, whatever could not be counted.
  return {
    gained: after.expr.op === 'none' ? 0 : less(count(after)),
    lost: before.expr.op === 'none' ? 0 : less(count(before)),
  };
}

/** Asks each question of all groups once, in few statements. */
async function counter(actor: Actor, projectId: string, groups: readonly Group[]): Promise<Count> {
  const questions = new Map<string, Question>();
  for (const { changes } of groups) {
    for (const { type, read, change } of changes) {
      for (const parts of [read, change]) {
        if (!parts || isSame(parts.before, parts.after)) continue;
        for (const { key, expr } of [parts.before, parts.after, parts.both]) {
          if (expr.op !== 'none' && key !== null && questions.size < MOST_COUNTS) questions.set(key, { type, expr });
        }
      }
    }
  }
  const sights = new Map<string, Expr | undefined>();
  const asked = [...questions].flatMap(([key, { type, expr }]) => {
    if (!sights.has(type)) sights.set(type, sightOf(actor, type));
    const sight = sights.get(type);
    // By a count they would learn what is in others, which they may not see.
    if (relatedIn(expr).length > 0 && !isUnlimited(actor.policy)) return [];
    return sight ? [{ key, type, expr: and([sight, expr]) }] : [];
  });
  const counts = await countRecords(projectId, asked);
  const known = new Map(asked.map(({ key }, at) => [key, counts[at] ?? null]));
  return ({ key, expr }) => {
    if (expr.op === 'none') return 0;
    return key === null ? null : (known.get(key) ?? null);
  };
}

/** Of what holds of every type: those with records, and to who does not see all of a type it is not told whether it has any. */
async function typesFor(actor: Actor, projectId: string): Promise<string[]> {
  const present = new Set(await typesPresent(projectId));
  return resourceTypes().filter((type) => present.has(type) || sightOf(actor, type)?.op !== 'all');
}

/** What the caller may find of a type themself; undefined where a question of others would tell what they may not. */
function sightOf(actor: Actor, type: string): Expr | undefined {
  if (isUnlimited(actor.policy)) return { op: 'all' };
  if (hasFields(actor, type) || !mayReach(actor, type, 'search')) return undefined;
  return reach(actor, type, 'search');
}

function toKeyed(type: string, expr: Expr): Keyed {
  if (sizeOf(expr) > MOST_VALUES) return { key: null, expr };
  const text = JSON.stringify(expr, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return { key: createHash('sha256').update(`${type} ${text}`).digest('hex'), expr };
}

/** How many values are in it; no further than too many. */
function sizeOf(value: unknown, from = 0): number {
  if (typeof value !== 'object' || value === null) return from + 1;
  let size = from;
  for (const each of Object.values(value)) {
    if (size > MOST_VALUES) break;
    size = sizeOf(each, size);
  }
  return size;
}
