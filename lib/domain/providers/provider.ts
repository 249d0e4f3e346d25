import type { IdentityProvider, SamlProvider } from '#lib/protocol/fhir/client-types.ts';

/** Who says of somebody who they are, for a client's project or for all addresses of a domain. */
export type Provider = {
  /** Where what names it is kept: "ClientApplication/id" or "DomainConfiguration/id". */
  projectId: string;
  owner: string;
  settings: IdentityProvider;
  /** It speaks SAML instead, and the settings are empty. */
  saml?: SamlProvider;
  /** It may speak for these addresses alone. */
  domain?: string;
  /** It lets them into this project alone, which has shown that the domain is its own. */
  forProject?: string;
};

/** Its project has set it up, and not the super-admin for everybody: it speaks for nobody elsewhere. */
export function isOfProject({ domain, forProject }: Provider): boolean {
  return domain === undefined || forProject !== undefined;
}

export type ProviderBySaml = Provider & { saml: SamlProvider };

export function isSaml(provider: Provider): provider is ProviderBySaml {
  return provider.saml !== undefined;
}
