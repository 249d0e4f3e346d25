import { isDeepStrictEqual } from 'node:util';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { GLASS_POLICY, GLASS_SETTINGS, readGlassTerms } from '#lib/protocol/break-glass/settings.ts';
import type { AccessPolicy, ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { isPlaced, lineageOf } from '../access/lineage.ts';
import { isUnlimited } from '../access/policy.ts';
import { findEach } from '../store/find-row.ts';
import { findLineages } from '../store/policies/find-policies.ts';

type Settings = readonly ProjectSetting[];
type Change = { actor: Actor; projectId: string; before: Settings; after: Settings };

/**
 * What new settings say of emergency access: by an administrator whom no policy limits, since it is a way past limits; with a policy that is there, is used
 * from anywhere, and asks for no values. Throws 400 and 403.
 */
export async function requireGlassSettings(tx: Queryable, { actor, projectId, before, after }: Change): Promise<void> {
  if (isDeepStrictEqual(glassIn(before), glassIn(after))) return;
  if ([actor, callerOf(actor)].some((one) => !isFree(one)))
    throw new AppError('forbidden', 'A policy limits you: emergency access is set up by another administrator');
  const names = glassIn(after).map(({ name }) => name);
  const terms = readGlassTerms(after);
  if (!terms) {
    if (names.length === 0) return;
    throw wrong('emergency access takes both breakGlassPolicy and breakGlassFor', after);
  }
  const all = [terms.policy, ...terms.holders];
  const rows = await findEach(
    projectId,
    all.map((one) => ['AccessPolicy', one.slice('AccessPolicy/'.length)] as const),
    tx,
  );
  const lost = all.find((_, at) => !rows[at]);
  if (lost) throw wrong(`Access policy ${lost} does not exist or does not belong to this project`, after);
  const lineage = lineageOf(terms.policy, await findLineages(projectId, [terms.policy], { q: tx }));
  if (!lineage) throw wrong('The policy of emergency access is based on one that is not there', after);
  if (isPlaced(lineage))
    throw wrong('The policy of emergency access says nothing about addresses (ipAccessRule)', after);
  if (
    /%(?!(?:profile|now|before|after|resource|rootResource|context|ucum|sct|loinc)\b)[A-Za-z_]/.test(
      lineage.map(({ policy }) => textOf(policy)).join(),
    )
  )
    throw wrong(
      'The policy of emergency access asks for values (%name): nobody gives any when the glass is broken',
      after,
    );
}

function isFree({ superAdmin, admin, policy }: Actor): boolean {
  return (superAdmin && admin) || (isUnlimited(policy) && !policy.places);
}

function glassIn(settings: Settings): ProjectSetting[] {
  return settings
    .filter(({ name }) => GLASS_SETTINGS.includes(name))
    .sort(({ name: one }, { name: other }) => (one < other ? -1 : 1));
}

function textOf({ resource = [] }: AccessPolicy): string {
  const texts = resource.flatMap(({ criteria, writeConstraint = [] }) => [
    criteria,
    ...writeConstraint.map(({ expression }) => expression),
  ]);
  return texts.join('\n');
}

function wrong(text: string, after: Settings): AppError {
  const at = Math.max(
    0,
    after.findIndex(({ name }) => name === GLASS_POLICY),
  );
  return new AppError('invalid', text, { expression: `[${at}].valueString` });
}
