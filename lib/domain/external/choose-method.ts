import { env } from '#lib/base/env.ts';
import type { SignInMethod } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { findDomainProvider } from './find-provider.ts';

/** Every sign-in page may ask once, and behind one address may be a whole hospital. */
const QUESTIONS_A_NETWORK = 600;

/**
 * How the addresses of a domain sign in (contract §1.5): nothing for a password. `authorizeUrl` is ours, and goes on to the provider: what is to
 * come back is bound to the browser there.
 */
export async function chooseMethod(ctx: Ctx, email: string): Promise<SignInMethod> {
  await throttle(`method-from:${networkOf(ctx.remoteAddress)}`, QUESTIONS_A_NETWORK);
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const provider = await findDomainProvider(domain);
  if (!provider) return {};
  const query = new URLSearchParams({ domain, login_hint: email });
  return { domain, authorizeUrl: `${env().BASE_URL}/auth/external?${query}` };
}
