import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Party } from '#lib/protocol/answers/audit.ts';
import type { AccessAsOf, CouldRead } from '#lib/protocol/audit/access-as-of.ts';
import type { AccessAsOfQuery } from '#lib/protocol/requests/audit.ts';
import type { Actor, Ctx } from '../../access/context.ts';
import { type Names, named, resolveNames } from '../../audit/resolve-names.ts';
import { findReaders, type Reader } from '../find-readers.ts';
import { type Found, findRecord } from '../find-record.ts';
import { requireSeen } from '../require-seen.ts';
import { requireTold } from '../require-told.ts';
import { didRead } from './did-read.ts';

/**
 * Who could read a record at an instant, by the memberships and policies as they were then and the evaluator of today, and who did as far as
 * reads were kept. What a login's scopes took away besides is not looked at. Memberships come page by page. For administrators; what they cannot
 * read themselves is for them as if it had never been.
 */
export async function accessAsOf(ctx: Ctx, projectId: string, query: AccessAsOfQuery): Promise<AccessAsOf> {
  const actor = requireTold(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { at, from, cursor, _count: count, resource } = query;
  const record = await findRecord(projectId, resource, at);
  const isSeen = await maySee(actor, record);
  const { row, context } = record;
  const state = isSeen ? record.state : 'absent';
  const records = state !== 'present' || context === null ? [] : [row!, ...(context ? [context] : [])];
  const asked = { at, isAlone: true, records, cursor, count: Number.POSITIVE_INFINITY, most: count };
  const { found, looked, next, project } = await findReaders(projectId, asked);
  const keepsReads = project?.setting?.some(({ name, valueBoolean }) => name === 'auditReads' && valueBoolean);
  const names = await resolveNames(
    projectId,
    found.flatMap(({ membership, policies }) => [
      membership?.profile?.reference,
      membership?.user?.reference,
      ...policies,
    ]),
  );
  const [type = '', id = ''] = resource.split('/');
  return {
    ...{ resource, at: at.toISOString(), from: from.toISOString(), state },
    version: isSeen && row ? String(row.version) : null,
    ...{ looked, members: found.map((reader) => toAnswer(reader, names)), next },
    reads: !keepsReads || cursor !== undefined ? null : isSeen ? await didRead(projectId, { type, id, from, at }) : [],
  };
}

async function maySee(actor: Actor, { row, now, context }: Found): Promise<boolean> {
  try {
    await requireSeen(
      actor,
      [row, now, context].filter((each) => each != null),
    );
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') return false;
    throw error;
  }
}

function toAnswer({ id, membership, superAdmin, policies, reading }: Reader, names: Names): CouldRead {
  const party = (reference: string | undefined): Party => named(names, reference) ?? { reference: null, display: null };
  return {
    membership: `ProjectMembership/${id}`,
    profile: party(membership?.profile?.reference),
    user: party(membership?.user?.reference),
    admin: membership !== undefined && (membership.admin === true || superAdmin),
    access: reading === 'unknown' ? 'unknown' : 'read',
    policies: policies.map(party),
  };
}
