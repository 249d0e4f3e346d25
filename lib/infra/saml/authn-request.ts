import { EMAIL_ADDRESS, type SamlAuthority, type ServiceProvider } from './names.ts';

/**
 * Where a browser is sent to be told who somebody is: an AuthnRequest of this id, not signed, by redirect (SAML Bindings §3.4). How the person
 * is to show it is left to the provider. `byAddress`: the NameID is to be an e-mail address.
 */
export async function authnRequestUrl(
  idp: SamlAuthority,
  sp: ServiceProvider,
  { requestId, relayState, byAddress }: { requestId: string; relayState: string; byAddress: boolean },
): Promise<string> {
  // Some 20 MB that a server does not need whose people come in otherwise.
  const { SAML } = await import('@node-saml/node-saml');
  const saml = new SAML({
    issuer: sp.entityId,
    callbackUrl: sp.acsUrl,
    entryPoint: idp.ssoUrl,
    idpCert: idp.certificates,
    generateUniqueId: () => requestId,
    identifierFormat: byAddress ? EMAIL_ADDRESS : null,
    disableRequestedAuthnContext: true,
  });
  return saml.getAuthorizeUrlAsync(relayState, undefined, {});
}

/** What a provider is told of us, as XML (SAML Metadata §2.4.4). */
export async function spMetadata(sp: ServiceProvider): Promise<string> {
  const { generateServiceProviderMetadata } = await import('@node-saml/node-saml');
  return generateServiceProviderMetadata({
    issuer: sp.entityId,
    callbackUrl: sp.acsUrl,
    identifierFormat: EMAIL_ADDRESS,
    wantAssertionsSigned: true,
    // The same whenever it is asked for.
    generateUniqueId: () => '_gatehouse',
  });
}
