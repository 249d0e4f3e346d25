import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Party } from '#lib/protocol/answers/audit.ts';
import type { Sees, WhoCanRead } from '#lib/protocol/policies/answers.ts';
import type { WhoQuery } from '#lib/protocol/policies/requests.ts';
import type { Ctx } from '../access/context.ts';
import { isUnlimited } from '../access/policy.ts';
import { type Names, named, resolveNames } from '../audit/resolve-names.ts';
import { findReaders, type Reader } from './find-readers.ts';
import { findRecord } from './find-record.ts';
import { requireSeen } from './require-seen.ts';
import { requireTold } from './require-told.ts';
import { tellRule } from './tell-rule.ts';

/** Memberships that one request looks at, whoever of them can read it. */
const MOST_LOOKED = 2000;

/**
 * Who can read a record, and by which rule, by the policies and memberships as they are or were at an instant and the evaluator of today. What
 * the scopes of a token take away besides is not looked at, nor super administrators of other projects. For administrators: 404 for what they
 * cannot read themselves; whom a policy limits is not told of rules that ask of other records, which they may not see.
 */
export async function whoCanRead(ctx: Ctx, projectId: string, query: WhoQuery): Promise<WhoCanRead> {
  const actor = requireTold(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { resource, at, cursor, _count: count } = query;
  const record = await findRecord(projectId, resource, at);
  const { state, row, now, context } = record;
  await requireSeen(
    actor,
    [row, now, context].filter((each) => each != null),
  );
  if (state === 'absent') throw notFound();
  const records = state !== 'present' || context === null ? [] : [row!, ...(context ? [context] : [])];
  const { found, looked, broken, next } = await findReaders(projectId, {
    ...{ at, records, cursor, count, most: MOST_LOOKED },
    isAlone: !isUnlimited(actor.policy),
  });
  const names = await resolveNames(
    projectId,
    found.flatMap(({ membership, reading }) => [
      membership?.profile?.reference,
      membership?.user?.reference,
      ...(reading === 'unknown' ? [] : [reading.effective.told.get(reading.rule)?.policy]),
    ]),
  );
  return {
    ...{ resource, at: (at ?? new Date()).toISOString(), state, version: row ? String(row.version) : null },
    ...{ looked, broken, members: found.map((each) => toAnswer(projectId, each, names)), next },
  };
}

function toAnswer(projectId: string, { id, membership, superAdmin, reading }: Reader, names: Names): Sees {
  const party = (reference: string | undefined): Party => named(names, reference) ?? { reference: null, display: null };
  const user = membership?.user?.reference;
  const isKnown = reading !== 'unknown';
  return {
    membership: `ProjectMembership/${id}`,
    kind: user?.startsWith('Bot/') ? 'bot' : user?.startsWith('ClientApplication/') ? 'client' : 'person',
    profile: party(membership?.profile?.reference),
    user: party(user),
    admin: membership?.admin === true || superAdmin,
    access: isKnown ? 'read' : 'unknown',
    rule: isKnown ? tellRule(reading.effective, reading.rule, { projectId, names }) : null,
    hidden: isKnown ? reading.hidden : [],
    isPlaced: isKnown && (reading.effective.policy.places?.length ?? 0) > 0,
  };
}
