import { newId, newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { endOfLink } from './create-link.ts';

export type UnsentInvite = { userId: string; membershipId: string };

const INSERT = `
  insert into one_time_link (id, kind, user_id, project_id, membership_id, secret_hash, created_at, expires_at)
  select i, 'invite', u, $1::uuid, m, s, $2::timestamptz, $3::timestamptz from unnest($4::uuid[], $5::uuid[], $6::uuid[], $7::text[]) as n(i, u, m, s)`;

/** Invitations of people who are new, that nobody was sent: they stand until an administrator sends them, or makes others. */
export async function placeInvites(
  tx: Queryable,
  projectId: string,
  at: Date,
  all: readonly UnsentInvite[],
): Promise<void> {
  if (all.length === 0) return;
  const column = (of: (one: UnsentInvite) => string) => toTextArray(all.map(of));
  const times = [at.toISOString(), endOfLink('invite', at).toISOString()];
  const people = [column(({ userId }) => userId), column(({ membershipId }) => membershipId)];
  await runText(tx, INSERT, [projectId, ...times, column(newId), ...people, column(() => hashSecret(newSecret()))]);
}
