import { log } from '#lib/base/log.ts';
import { EMAIL_ADDRESS } from '#lib/infra/saml/names.ts';
import type { Statement } from '#lib/infra/saml/read-assertion.ts';
import { verifyResponse } from '#lib/infra/saml/verify-response.ts';
import type { SamlProvider } from '#lib/protocol/fhir/client-types.ts';
import { refused } from './ask-provider.ts';
import type { ProviderBySaml } from './provider.ts';
import { serviceProjectOf, serviceProviderOf } from './service-provider.ts';
import { type Identity, isName } from './verify-identity.ts';

/** A name that is another one at each sign-in (SAML Core §8.3.8). */
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Who somebody is who comes back from a SAML provider, as its answer to this request says. Throws 400: why, only the log tells. */
export async function verifySaml(provider: ProviderBySaml, samlResponse: string, requestId: string): Promise<Identity> {
  const { saml, owner } = provider;
  const sp = serviceProviderOf(serviceProjectOf(provider));
  const said = await verifyResponse(samlResponse, { idp: saml, sp, requestId }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown';
    log.warn({ provider: owner, reason }, 'an answer of a SAML provider was refused');
    throw refused();
  });
  return toIdentity(said, saml);
}

/** One address or none: of several nobody knows which is whose. */
function toIdentity({ nameId, format, attributes }: Statement, saml: SamlProvider): Identity {
  const only = (name: string | undefined) => {
    const [value, second] = (name !== undefined && attributes.get(name)) || [];
    return second === undefined && isName(value) ? value : undefined;
  };
  const told = saml.emailAttribute === undefined ? format === EMAIL_ADDRESS && nameId : only(saml.emailAttribute);
  const email = isName(told) ? told.toLowerCase() : undefined;
  const subject = format === TRANSIENT ? email : nameId;
  if (!isName(subject)) throw refused();
  const [firstName, lastName] = [only(saml.givenNameAttribute), only(saml.familyNameAttribute)];
  return { subject, email, ...(firstName && { firstName }), ...(lastName && { lastName }) };
}
