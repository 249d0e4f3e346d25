import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { AccessEntry, AccessPolicy, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { entryRules } from '../access/entry-rules.ts';
import { withoutGlass } from '../access/glass.ts';
import { lineageOf } from '../access/lineage.ts';
import { covers, inTurns, isForAdministrators, isUnlimited } from '../access/policy.ts';
import type { Fields, Rule } from '../access/rule.ts';
import { findEach } from '../store/find-row.ts';
import { knowParams } from '../store/own-params/know-params.ts';
import { findLineages } from '../store/policies/find-policies.ts';
import { toResource } from '../store/row.ts';

/**
 * Who is limited by a policy gives nobody what they may not do themselves: each rule that the entry gives must be one of theirs, or less of one, for as
 * long. Throws 403; 400 for a policy that the project does not have.
 */
export async function requireWithin(
  tx: Queryable,
  actor: Actor,
  projectId: string,
  { entry, membership }: { entry: AccessEntry; membership: ProjectMembership },
): Promise<void> {
  const reference = entry.policy.reference ?? '';
  const [row] = await findEach(projectId, [['AccessPolicy', reference.slice('AccessPolicy/'.length)]], tx);
  if (!row)
    throw new AppError('invalid', `Access policy ${reference} does not exist or does not belong to this project`, {
      expression: 'policy',
    });
  const policies = await findLineages(projectId, [], {
    q: tx,
    known: new Map([[reference, toResource<AccessPolicy>(row)]]),
  });
  const lineage = lineageOf(reference, policies) ?? [];
  // From where somebody comes in, all of their policies say together: one more may open what another closes. And where what they write belongs, the last.
  const isPlaced = lineage.some(
    ({ policy: { ipAccessRule = [], compartment } }) => ipAccessRule.length > 0 || compartment,
  );
  const givers = [actor, callerOf(actor)]
    .map(withoutGlass)
    .filter((giver) => !isFree(giver) || (isPlaced && isPlacedSo(giver)));
  if (givers.length === 0) return;
  await knowParams(projectId);
  const of = { policy: reference, parameter: entry.parameter ?? [], time: toEntryDates(entry) };
  const given = await inTurns(entryRules(of, { projectId, membership, policies, superAdmin: false }));
  const isWithin = givers.every((giver) => given.every((rule) => hasRule(giver.policy.rules, rule)));
  if (isWithin && !isPlaced) return;
  const text = 'A policy limits you, and you give nobody more than you may do yourself: ask another administrator';
  throw new AppError('forbidden', text, { expression: 'policy' });
}

function isPlacedSo({ policy: { places, into } }: Actor): boolean {
  return places !== undefined || into !== undefined;
}

function isFree({ superAdmin, admin, policy }: Actor): boolean {
  return (superAdmin && admin) || isUnlimited(policy);
}

function hasRule(own: readonly Rule[], given: Rule): boolean {
  if (isForAdministrators(given.resourceType)) return true;
  // Which of one's rules decides of a record's fields, records say: what any of them hides or keeps is not given.
  const isOpen = own.some(({ resourceType, fields }) => {
    const isSpoken = given.resourceType === '*' || given.resourceType === resourceType;
    return fields && isSpoken && !(given.fields && isWithout(given.fields, fields));
  });
  if (isOpen) return false;
  return [...given.interactions].every((interaction) =>
    own.some((rule) => covers(rule, given.resourceType, interaction) && isAtMost(given, rule)),
  );
}

function isWithout(given: Fields, own: Fields): boolean {
  const has = (some: readonly string[], all: readonly string[]) => all.every((name) => some.includes(name));
  return has(given.hidden, own.hidden) && has([...given.hidden, ...given.readonly], own.readonly);
}

/** Whether what the rule gives is no more than the other does, as far as that can be told without asking of records. */
function isAtMost(given: Rule, own: Rule): boolean {
  const isSame = !given.now && !own.now && isDeepStrictEqual(given.expr, own.expr);
  const isOfAll = own.expr.op === 'all' && !own.now;
  const { until } = own.time ?? {};
  return (
    (isOfAll || isSame) &&
    (!own.constraint || isDeepStrictEqual(own.constraint, given.constraint)) &&
    (!own.fields || isDeepStrictEqual(own.fields, given.fields)) &&
    (until === undefined || (given.time?.until !== undefined && given.time.until <= until))
  );
}
