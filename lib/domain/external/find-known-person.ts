import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { domainOf } from '#lib/protocol/mail-domains/domain-name.ts';
import type { Ctx } from '../access/context.ts';
import { findToSignIn } from '../accounts/find-user.ts';
import type { Provider } from '../providers/provider.ts';
import type { Identity } from '../providers/verify-identity.ts';
import { type Choice, findMemberships, keepOpen } from '../sign-in/find-memberships.ts';
import { joinMember } from './join-member.ts';

type Limits = { projectId?: string; profileType?: string };

/**
 * The person whom a provider names, and the memberships with which they can go on: by the external id that they were invited with, or by an
 * address that the provider has proven, and that is one of those it speaks for; where a project lets its domain's people join, they do first. `isAbove`: their account stands above projects. Throws 400 for anybody else.
 */
export async function findKnownPerson(
  ctx: Ctx,
  provider: Provider,
  identity: Identity,
  limits: Limits,
): Promise<{ userId: string; choices: Choice[]; isAbove: boolean }> {
  const { projectId } = limits;
  const find = () =>
    provider.settings.useSubject === true
      ? findByExternalId(projectId, identity.subject)
      : findByEmail(provider, projectId, identity.email);
  const before = await find();
  const known = (await joinMember(ctx, provider, identity, before)) ? await find() : before;
  const choices = known ? await findMemberships(known.userId, { ...limits, projects: known.projects }) : [];
  const own = known?.membershipId ? choices.filter(({ id }) => id === known.membershipId) : choices;
  if (!known || own.length === 0) throw unknown();
  return { userId: known.userId, choices: keepOpen(own, 'external'), isAbove: known.isAbove === true };
}

/** `isAbove`: an account above projects. */
type Known = { userId: string; projects?: string[]; membershipId?: string; isAbove?: boolean };

async function findByExternalId(projectId: string | undefined, subject: string): Promise<Known | undefined> {
  if (projectId === undefined) return undefined;
  const [row] = await db().execute<{ membership_id: string; user_ref: string }>(sql`
    select membership_id, user_ref from membership_key
    where project_id = ${projectId} and external_id = ${subject} and active`);
  const [type, userId] = row?.user_ref.split('/') ?? [];
  return row && type === 'User' && userId ? { userId, membershipId: row.membership_id } : undefined;
}

async function findByEmail(
  { domain }: Provider,
  projectId: string | undefined,
  email: string | undefined,
): Promise<Known | undefined> {
  if (!email || (domain !== undefined && domainOf(email) !== domain)) return undefined;
  const scoped = projectId === undefined ? undefined : await findToSignIn(projectId, email);
  if (scoped) return scoped;
  const above = await findToSignIn(SERVER_SCOPE, email);
  return above && { ...above, isAbove: true };
}

/** The same for whoever is not known, is not active, and whose address is not proven there. */
function unknown(): AppError {
  const text = 'Nobody here is known by what the identity provider says, or may sign in; ask an administrator';
  return new AppError('invalid', text, { oauth: 'invalid_grant' });
}
