import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { OwnAccountCopy } from '#lib/protocol/answers/own-account.ts';
import type { ProjectMembership, User } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { listOwnRequests } from '../access-requests/list-requests.ts';
import { findAudit } from '../audit/find-audit.ts';
import { write } from '../audit/write.ts';
import { listConsents } from '../authorize/withdraw-consent.ts';
import { listOwnGrants } from '../break-glass/list-grants.ts';
import { throttle } from '../limits/throttle.ts';
import { listOwnKeys } from '../own-keys/own-keys.ts';
import { listOwnMemberships } from '../own-memberships/list-own-memberships.ts';
import { listPasskeys } from '../passkeys/list-passkeys.ts';
import { requireOwnAccount } from '../passkeys/require-own-account.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { listDevices } from '../safety/own-devices.ts';
import { readMe } from '../sessions/read-me.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { listOwnViews } from '../view-as/list-own-views.ts';

const OFTEN = { limit: 10, windowSeconds: 3600, refusal: 'Your data was exported ten times within the hour' };
const MOST_ROWS = 1000;

/**
 * What this server keeps of the caller, for themselves: account, memberships, profile, sessions, browsers, passkeys, keys, requests for access, emergency
 * access, who looked with their eyes, apps, and what the log has
 * of what they did about themselves; no secret of theirs, and nothing that other projects know. For who has signed in themselves, with a proof. Throws
 * 403, and 429 past ten an hour.
 */
export async function exportAccount(ctx: Ctx): Promise<OwnAccountCopy> {
  const actor = requireActor(ctx);
  const { user } = await requireOwnAccount(ctx);
  await requireProof(actor);
  await throttle(`export-account:${user.id}`, OFTEN.limit, OFTEN);
  await write(ctx, async (w) => w.audit({ projectId: user.scope, action: 'user.export', target: `User/${user.id}` }));
  const row = requireLive(await findRow(user.scope, 'User', user.id));
  const membership = requireLive(await findRow(actor.projectId, 'ProjectMembership', actor.membershipId));
  const [me, { memberships }, { devices }, { passkeys }, { rows: keys }, asked, emergency, views, { consents }, log] =
    await Promise.all([
      readMe(ctx),
      listOwnMemberships(ctx),
      listDevices(ctx),
      listPasskeys(ctx),
      listOwnKeys(ctx),
      listOwnRequests(ctx, { _count: MOST_ROWS, cursor: undefined }),
      listOwnGrants(ctx, { _count: MOST_ROWS, cursor: undefined }),
      listOwnViews(ctx, { _count: MOST_ROWS, cursor: undefined }),
      listConsents(ctx),
      findLog(actor, user.id),
    ]);
  return {
    exportedAt: new Date().toISOString(),
    account: toResource<User>(row),
    membership: toResource<ProjectMembership>(membership),
    profile: me.profile,
    ...{ memberships, sessions: me.security?.sessions ?? [], devices, passkeys, keys, consents, log },
    ...{ accessRequests: asked.rows, emergencyAccess: emergency.rows, views: views.rows },
  };
}

/** About accounts above projects the log is the server's. */
async function findLog(actor: Actor, userId: string): Promise<OwnAccountCopy['log']> {
  const target = [`User/${userId}`, `ProjectMembership/${actor.membershipId}`, actor.profile];
  const all = await Promise.all(
    [actor.projectId, SERVER_SCOPE].map((projectId) => findAudit(projectId, { target }, MOST_ROWS)),
  );
  return all
    .flat()
    .filter((row) => row.actor === actor.profile || row.actor === `User/${userId}`)
    .map((row) => ({
      ...{ at: toInstant(row.at), action: row.action, target: row.target, remoteAddress: row.remote_address },
      outcome: row.outcome === 0 ? ('success' as const) : ('failure' as const),
    }))
    .sort((one, other) => (one.at < other.at ? 1 : -1));
}
