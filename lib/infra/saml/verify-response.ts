import { findSigner } from './find-signer.ts';
import { ASSERTION, PROTOCOL, type SamlAuthority, type ServiceProvider, SUCCESS } from './names.ts';
import { attributeOf, childOf, parseXml, textOf } from './parse-xml.ts';
import { CLOCKS_DIFFER_MS, readAssertion, type Statement } from './read-assertion.ts';
import { requireSound, type Sound } from './require-sound.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

export type Expected = {
  idp: SamlAuthority;
  sp: ServiceProvider;
  /** Of the AuthnRequest that is answered. */
  requestId: string;
};

/**
 * What a Response says that came by POST (SAML Bindings §3.5), when all of it is as it must be: the answer to this request, by this provider,
 * for us, signed by one of its certificates as a whole or in its assertion. Of what is signed alone anything is told. Throws an Error that says what is not.
 */
export async function verifyResponse(samlResponse: string, { idp, sp, requestId }: Expected): Promise<Statement> {
  const response = parseXml(decode(samlResponse));
  requireSuccess(response);
  const sound = requireSound(response);
  requireAnswer(response, sound, { idp, sp, requestId });
  const signed = await checkSignatures(samlResponse, sound, { idp, sp, requestId });
  return readAssertion(parseXml(signed), {
    issuer: idp.entityId,
    audience: sp.entityId,
    recipient: sp.acsUrl,
    requestId,
    now: Date.now(),
  });
}

function decode(base64: string): string {
  const plain = base64.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(plain)) throw new Error('it is not base64');
  return UTF8.decode(Buffer.from(plain, 'base64'));
}

/** The provider may say why not; that is not signed often, and nothing is taken from it. */
function requireSuccess(response: Element): void {
  const code = attributeOf(childOf(childOf(response, PROTOCOL, 'Status'), PROTOCOL, 'StatusCode'), 'Value');
  if (code !== SUCCESS) throw new Error(`the provider says ${String(code).slice(0, 100)}`);
}

/** SAML Core §3.2.2; Bindings §3.5.5.2 for the Destination, which what is signed as a whole must have. */
function requireAnswer(response: Element, { responseSigned }: Sound, { idp, sp, requestId }: Expected): void {
  if (attributeOf(response, 'Version') !== '2.0') throw new Error('it is not of SAML 2.0');
  if (attributeOf(response, 'InResponseTo') !== requestId) throw new Error('it answers another request, or none');
  const destination = attributeOf(response, 'Destination');
  if (destination === undefined ? responseSigned : destination !== sp.acsUrl) throw new Error('it was sent elsewhere');
  const issuer = childOf(response, ASSERTION, 'Issuer');
  if (issuer && textOf(issuer) !== idp.entityId) throw new Error('it is of another issuer');
}

/** The assertion as it was signed. Every signature that is there must be good. */
async function checkSignatures(
  samlResponse: string,
  { signatures, responseSigned, assertionSigned }: Sound,
  { idp, sp, requestId }: Expected,
): Promise<string> {
  const signers = signatures.map((signature) => findSigner(signature, idp.certificates));
  const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml');
  const asked = new Date().toISOString();
  const saml = new SAML({
    issuer: sp.entityId,
    audience: sp.entityId,
    callbackUrl: sp.acsUrl,
    idpCert: [...new Set(signers)],
    wantAuthnResponseSigned: responseSigned,
    wantAssertionsSigned: assertionSigned,
    acceptedClockSkewMs: CLOCKS_DIFFER_MS,
    validateInResponseTo: ValidateInResponseTo.always,
    // One request is waited for, by this browser: that it counts once is its keeper's to see.
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === requestId ? asked : null),
      removeAsync: async () => null,
    },
  });
  const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: samlResponse });
  const xml = profile?.getAssertionXml?.();
  if (!xml) throw new Error('it names nobody');
  return xml;
}
