import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { db } from '#lib/infra/db/client.ts';
import type { SignInMethod } from '#lib/protocol/answers/login.ts';
import { domainOf } from '#lib/protocol/mail-domains/domain-name.ts';
import type { Ctx } from '../access/context.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { findDomainProvider } from '../providers/find-provider.ts';
import { enforcedDomains } from '../ways/enforced-domains.ts';

/** Every sign-in page may ask once, and behind one address may be a whole hospital. */
const QUESTIONS_A_NETWORK = 600;

/**
 * How the addresses of a domain sign in (contract §1.5): nothing for a password. `authorizeUrl` is ours, and goes on to the provider: what is to
 * come back is bound to the browser there. `optional`: a password is another way, as far as their project has it. `projectId`: for which they sign in.
 */
export async function chooseMethod(
  ctx: Ctx,
  { email, projectId }: { email: string; projectId?: string },
): Promise<SignInMethod> {
  await throttle(`method-from:${networkOf(ctx.remoteAddress)}`, QUESTIONS_A_NETWORK);
  const domain = domainOf(email);
  const provider = await findDomainProvider(domain);
  if (!provider) return {};
  const { forProject } = provider;
  if (forProject && projectId && projectId.toLowerCase() !== forProject) return {};
  const own: Record<string, string> = forProject ? { projectId: forProject } : {};
  const query = new URLSearchParams({ domain, login_hint: email, ...own });
  const authorizeUrl = `${env().BASE_URL}/auth/external?${query}`;
  // They may be members of other projects, too, where it does not speak for them.
  if (forProject && !(projectId && (await isEnforced(forProject, domain))))
    return { domain, authorizeUrl, optional: true };
  return { domain, authorizeUrl };
}

async function isEnforced(projectId: string, domain: string): Promise<boolean> {
  const [row] = await db().execute<{ enforced: string[] | null }>(sql`
    select ${enforcedDomains(projectId)} as enforced`);
  return row?.enforced?.includes(domain) === true;
}
