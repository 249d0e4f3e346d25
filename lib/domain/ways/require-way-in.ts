import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership, ProjectSetting } from '#lib/protocol/fhir/types.ts';
import { domainOf } from '#lib/protocol/mail-domains/domain-name.ts';
import { tellWays, type Way, waysOf } from '#lib/protocol/sign-in/ways.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { refuse } from '../access/refuse.ts';
import { findAddress } from '../accounts/find-address.ts';
import { findFactors } from '../factors/find-factors.ts';
import { findDomainProvider } from '../providers/find-provider.ts';
import { LASTING } from '../standing/in-time.ts';
import { countPasskeys } from '../webauthn/count-passkeys.ts';
import { enforcedDomains } from './enforced-domains.ts';

/** How it will be: the project's settings, and of one membership what it says then. */
type Planned = {
  projectId: string;
  setting: readonly ProjectSetting[];
  membership?: { id: string; signInWays: ProjectMembership['signInWays'] };
};

type Admin = { membership_id: string; user_ref: string; content: ProjectMembership; enforced: string[] | null };

/** So many are looked at, the caller first: if none of them could come in, the rest is no comfort. */
const MOST = 50;

/**
 * Nobody locks a project out: throws 409 when, with what is planned, the administrator who plans it could not sign in themselves, or, where a
 * program or the super-admin does it, none of those who can be administrators could.
 */
export async function requireWayIn(q: Queryable, actor: Actor, planned: Planned): Promise<void> {
  const { projectId, setting, membership } = planned;
  const own = callerOf(actor).membershipId;
  const admins = await q.execute<Admin>(sql`
    select k.membership_id, k.user_ref, m.content, ${enforcedDomains(projectId)} as enforced from membership_key k
    join resource m on m.project_id = k.project_id and m.type_id = ${typeId('ProjectMembership')} and m.id = k.membership_id::text and not m.deleted
    where k.project_id = ${projectId} and k.active and k.admin and ${LASTING} and k.user_ref like 'User/%'
    order by k.membership_id = ${own}::uuid desc, k.membership_id limit ${MOST}`);
  for (const { membership_id: id, user_ref, content, enforced } of admins) {
    const told = membership?.id === id ? { ...content, signInWays: membership.signInWays } : content;
    const { email, ways: can } = await findWaysOf(q, user_ref.slice('User/'.length), projectId);
    const allowed = waysOf(setting, told, { domains: enforced ?? [], email });
    if (allowed.some((way) => can.includes(way))) return;
    if (id === own) throw locked(`You could not sign in any more: you would need ${tellWays(allowed)}`);
  }
  if (admins.length > 0) throw locked('No administrator of the project could sign in any more');
}

/** By which ways somebody could sign in today. A password can be asked for by mail. */
async function findWaysOf(
  q: Queryable,
  userId: string,
  projectId: string,
): Promise<{ email: string | undefined; ways: Way[] }> {
  const email = await findAddress(userId, q);
  const [passkeys, factors, provider] = [
    await countPasskeys(q, userId),
    await findFactors(q, userId),
    email && (await findDomainProvider(domainOf(email), q)),
  ];
  // A code to the mailbox that the link went to proves nothing more.
  const isLinkEnough = factors.length === 0 || factors.some((method) => method !== 'email');
  const isNamed = provider && (provider.forProject === undefined || provider.forProject === projectId);
  const ways: Way[] = [
    ...(email ? (['password'] as const) : []),
    ...(passkeys > 0 ? (['passkey'] as const) : []),
    ...(email && isLinkEnough ? (['link'] as const) : []),
    ...(isNamed ? (['provider'] as const) : []),
  ];
  return { email, ways };
}

function locked(text: string) {
  return refuse('locked-out', text);
}
