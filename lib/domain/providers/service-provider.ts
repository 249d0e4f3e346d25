import { env } from '#lib/base/env.ts';
import { spMetadata } from '#lib/infra/saml/authn-request.ts';
import type { ServiceProvider } from '#lib/infra/saml/names.ts';
import type { Provider } from './provider.ts';

/**
 * As whom a provider knows us (SAML): each project is a service of its own, so that what one project's provider signs is for no other. For domains that
 * the super-admin has set it is the super-admin project.
 */
export function serviceProviderOf(projectId: string): ServiceProvider {
  const acsUrl = `${env().BASE_URL}/auth/external/saml/${projectId.toLowerCase()}`;
  return { entityId: `${acsUrl}/metadata`, acsUrl };
}

/** The project as which it knows us. */
export function serviceProjectOf({ forProject, projectId }: Provider): string {
  return forProject ?? projectId;
}

/** What a provider is told of us, as XML. It says nothing of whether there is such a project. */
export function serviceMetadata(projectId: string): Promise<string> {
  return spMetadata(serviceProviderOf(projectId));
}
