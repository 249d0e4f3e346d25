import { env } from '#lib/base/env.ts';
import type { ExternalRequest } from '#lib/protocol/requests/authorization.ts';
import type { Ctx } from '../access/context.ts';
import { isOfProject, type Provider } from '../providers/provider.ts';
import { isTwoFactors } from '../providers/told-strength.ts';
import type { Identity } from '../providers/verify-identity.ts';
import { createLogin, projectOfRequest } from '../sign-in/create-login.ts';
import { findKnownPerson } from './find-known-person.ts';
import { requireItsProject } from './start-external.ts';

/** Who was named by a provider has signed in, as a password does it: the address where the browser goes with it. Throws 400 for nobody. */
export async function enterExternal(
  ctx: Ctx,
  provider: Provider,
  identity: Identity,
  request: ExternalRequest,
): Promise<string> {
  const projectId = requireItsProject(provider, await projectOfRequest(ctx, request));
  const limits = { projectId, profileType: request.resourceType };
  const { userId, choices, isAbove } = await findKnownPerson(ctx, provider, identity, limits);
  const [only] = choices.length === 1 ? choices : [];
  const chosen = only && { projectId: only.projectId, membershipId: only.id };
  // The app shows no address when it redeems this: the challenge binds the code.
  const fields = { ...request, projectId, redirectUri: undefined };
  const { login, code } = await createLogin(ctx, userId, fields, {
    chosen,
    authMethod: 'external',
    factorAt: isTwoFactors(provider.settings, identity.strength) ? new Date() : null,
    withinProject: isOfProject(provider) && isAbove,
    action: 'login.external',
  });
  const url = new URL(request.redirectUri ?? `${env().BASE_URL}/signin`);
  url.searchParams.set('login', login);
  if (code !== undefined) url.searchParams.set('code', code);
  return url.href;
}
