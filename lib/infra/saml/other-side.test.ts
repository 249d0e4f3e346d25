import * as samlify from 'samlify';
import { beforeAll, expect, test } from 'vitest';
import { makeSigningKey, type SigningKey } from '#lib/testing/servers/saml-signing.ts';
import { authnRequestUrl, spMetadata } from './authn-request.ts';
import { readIdpMetadata } from './read-idp-metadata.ts';
import { verifyResponse } from './verify-response.ts';

/** Another implementation than ours and its library: what it reads of us, and what we read of it, is SAML. */
const sp = { entityId: 'https://us.example/saml/metadata', acsUrl: 'https://us.example/saml' };
const AUTHN = `<saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`;
let key: SigningKey;

beforeAll(async () => {
  samlify.setSchemaValidator({ validate: () => Promise.resolve('not looked at') });
  key = await makeSigningKey();
});

function makeIdp() {
  const { context } = samlify.SamlLib.defaultLoginResponseTemplate;
  return samlify.IdentityProvider({
    entityID: 'https://idp.example/metadata',
    signingCert: key.certificate,
    privateKey: key.privateKey,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    nameIDFormat: ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress'],
    singleSignOnService: ['HTTP-POST', 'HTTP-Redirect'].map((binding) => ({
      Binding: `urn:oasis:names:tc:SAML:2.0:bindings:${binding}`,
      Location: 'https://idp.example/sso',
    })),
    loginResponseTemplate: {
      context: context.replace('{AuthnStatement}', AUTHN),
      attributes: [
        {
          name: 'mail',
          valueTag: 'mail',
          nameFormat: 'urn:oasis:names:tc:SAML:2.0:attrname-format:basic',
          valueXsiType: 'xs:string',
        },
      ],
    },
  });
}

test('samlify reads our metadata and our request, and we its metadata and its answer', async () => {
  const other = makeIdp();
  const idp = readIdpMetadata(other.getMetadata());
  expect(idp).toEqual({
    entityId: 'https://idp.example/metadata',
    ssoUrl: 'https://idp.example/sso',
    certificates: [key.certificate],
  });
  const asked = { requestId: '_request', relayState: 'a-handle', byAddress: true };
  const url = new URL(await authnRequestUrl(idp, sp, asked));
  const us = samlify.ServiceProvider({ metadata: await spMetadata(sp) });
  const request = await other.parseLoginRequest(us, 'redirect', { query: Object.fromEntries(url.searchParams) });
  expect(request.extract).toMatchObject({
    issuer: sp.entityId,
    request: { id: '_request', assertionConsumerServiceUrl: sp.acsUrl, destination: idp.ssoUrl },
  });
  const [now, later] = [0, 300_000].map((ms) => new Date(Date.now() + ms).toISOString());
  const tags = {
    ID: '_response',
    AssertionID: '_assertion',
    Destination: sp.acsUrl,
    Audience: sp.entityId,
    SubjectRecipient: sp.acsUrl,
    NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    NameID: 'ann@hospital.example',
    Issuer: idp.entityId,
    IssueInstant: now,
    ConditionsNotBefore: now,
    ConditionsNotOnOrAfter: later,
    SubjectConfirmationDataNotOnOrAfter: later,
    InResponseTo: '_request',
    StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    attrMail: 'ann@hospital.example',
  };
  const answer = await other.createLoginResponse(us, { ...request }, 'post', {}, (template: string) => {
    return { id: '_response', context: samlify.SamlLib.replaceTagsByValue(template, tags) };
  });
  const said = await verifyResponse((answer as { context: string }).context, { idp, sp, requestId: '_request' });
  expect(said).toEqual({
    nameId: 'ann@hospital.example',
    format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    attributes: new Map([['mail', ['ann@hospital.example']]]),
  });
});
