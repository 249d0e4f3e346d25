import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import { toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { AccessEntry, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { isTooHeavy } from '../../access/access-weight.ts';
import type { Glass } from '../../access/context.ts';
import { entryRules } from '../../access/entry-rules.ts';
import { grantOf, ofRecords } from '../../access/glass.ts';
import { isPlaced, lineageOf } from '../../access/lineage.ts';
import { inTurns, type Policy } from '../../access/policy.ts';
import { intoOf } from '../../access/writes-into.ts';
import { findLineages } from '../../store/policies/find-policies.ts';

type Opened = { policy: Policy; glass: Glass };

/**
 * What a membership may under a grant that is open: its own rules, and those of the grant’s policy for records, as that is now. Where the policy is gone,
 * weighs too much or says from where it is used, the grant gives nothing, and what they have besides stays.
 */
export async function loadGlass(
  { projectId, membership, policy }: { projectId: string; membership: ProjectMembership; policy: Policy },
  entry: AccessEntry,
): Promise<Opened | undefined> {
  const grantId = grantOf(entry);
  const time = toEntryDates(entry);
  if (!isUuid(grantId) || time.until === undefined) return undefined;
  const of = and(eq(breakGlass.projectId, projectId), eq(breakGlass.id, grantId));
  const isOpen = and(isNull(breakGlass.endedAt), gt(breakGlass.endsAt, sql`now()`));
  const [row] = await db()
    .select({ policy: breakGlass.policy, endsAt: breakGlass.endsAt })
    .from(breakGlass)
    .where(and(of, eq(breakGlass.membershipId, membership.id!), isOpen));
  const reference = entry.policy.reference ?? '';
  if (!row || row.policy !== reference || row.endsAt.getTime() !== time.until) return undefined;
  const glass: Glass = { grantId, until: time.until, without: policy };
  const policies = await findLineages(projectId, [reference]);
  const lineage = lineageOf(reference, policies);
  if (!lineage) return { policy, glass };
  const alone = { ...membership, accessPolicy: undefined, access: [entry] };
  if (isPlaced(lineage) || isTooHeavy(alone, policies)) return { policy, glass };
  const source = { projectId, membership: alone, policies, superAdmin: false };
  const rules = await inTurns(entryRules({ policy: reference, parameter: [], time }, source));
  const into = [...(policy.into ?? []), ...intoOf({ membership: alone, policies })];
  const whole = { ...policy, rules: [...policy.rules, ...ofRecords(rules)], ...(into.length > 0 && { into }) };
  return { policy: whole, glass };
}
