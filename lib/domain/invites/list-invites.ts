import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { InviteList, InviteRow } from '#lib/protocol/answers/invites.ts';
import type { InvitesQuery } from '#lib/protocol/requests/invites.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { policiesOf } from '../access/policies-of.ts';
import { resolveNames } from '../audit/resolve-names.ts';
import { countInvites, type FoundInvite, findInvites } from './find-invites.ts';
import { type InviteDetails, loadInviteDetails } from './load-invite-details.ts';

/** Who was invited and how that stands, newest first: one row a membership. `counts` are of the search, whatever the status. */
export async function listInvites(ctx: Ctx, projectId: string, query: InvitesQuery): Promise<InviteList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { status, q, membership: membershipIds, _count: count, _offset: offset } = query;
  const [counts, found] = await Promise.all([
    countInvites(projectId, { q, membershipIds }),
    findInvites(projectId, { q, status, membershipIds }, { count, offset }),
  ]);
  const total = status ? counts[status] : Object.values(counts).reduce((sum, n) => sum + n, 0);
  return { total, counts, rows: await toRows(db(), projectId, found) };
}

/** The row of one membership, after a change. Throws 404 when it was never invited. */
export async function loadInvite(projectId: string, membershipId: string, q: Queryable = db()): Promise<InviteRow> {
  const found = await findInvites(projectId, { membershipIds: [membershipId] }, { count: 1, offset: 0 }, q);
  const [row] = await toRows(q, projectId, found);
  if (!row) throw notFound();
  return row;
}

async function toRows(q: Queryable, projectId: string, found: FoundInvite[]): Promise<InviteRow[]> {
  const detailed = await loadInviteDetails(q, projectId, found);
  const names = await resolveNames(
    projectId,
    detailed.flatMap(({ membership }) => policiesOf(membership)),
  );
  return detailed.map((row) => {
    const { membership, link, user } = row;
    const email = user?.email ?? null;
    const name = membership.profile.display ?? [user?.firstName, user?.lastName].filter(Boolean).join(' ');
    return {
      membershipId: row.membership_id,
      linkId: link?.link_id ?? null,
      status: row.status,
      name: name || email || membership.externalId || '',
      email,
      profileType: membership.profile.reference?.split('/')[0] ?? '',
      admin: membership.admin === true,
      active: membership.active !== false,
      policies: policiesOf(membership).map((reference) => ({ reference, display: names.get(reference) ?? reference })),
      invitedBy: membership.invitedBy ?? null,
      ...sending(row),
      invitedAt: toInstant(row.invited_at),
      expiresAt: toInstant(link?.expires_at ?? null),
      openedAt: toInstant(link?.opened_at ?? null),
      acceptedAt: toInstant(link?.used_at ?? null),
    };
  });
}

function sending(row: InviteDetails): Pick<InviteRow, 'channel' | 'sentAt' | 'delivery'> {
  if (row.link?.handed_at) return { channel: 'link', sentAt: toInstant(row.link.handed_at), delivery: null };
  if (!row.mail_state) return { channel: 'none', sentAt: null, delivery: null };
  const at = toInstant(row.mail_sent_at ?? row.mail_created_at) ?? '';
  const delivery = { state: row.mail_state, error: row.mail_error, attempts: row.mail_attempts ?? 0, at };
  return { channel: 'mail', sentAt: toInstant(row.mail_sent_at), delivery };
}
