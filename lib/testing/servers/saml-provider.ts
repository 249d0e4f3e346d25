import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { makeSigningKey, type SigningKey, sign } from './saml-signing.ts';

const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
const CM = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const BY_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const SHA256 = {
  signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
};

export type SamlPerson = { nameId: string; format?: string; attributes?: Record<string, string[]> };

/** What is otherwise than it should be. Instants as seconds from now; `before` and `after`: of the signature. */
export type Change = {
  sign?: 'assertion' | 'response' | 'both' | 'none';
  key?: SigningKey;
  algorithms?: { signature: string; digest: string };
  issuer?: string;
  audience?: string;
  recipient?: string;
  destination?: string;
  inResponseTo?: string;
  from?: number;
  until?: number;
  status?: string;
  before?: (xml: string) => string;
  after?: (xml: string) => string;
};

export type SamlAnswer = { acsUrl: string; form: { SAMLResponse: string; RelayState: string } };
type Asked = { id: string; acsUrl: string; audience: string; relayState: string };

export type SamlProvider = {
  entityId: string;
  ssoUrl: string;
  /** It signs by the first, and names them all. */
  keys: SigningKey[];
  person: SamlPerson;
  metadata(): string;
  /** What it answers to a browser that is sent there. */
  answer(location: URL | string, change?: Change): SamlAnswer;
  stop(): Promise<void>;
};

/** An identity provider that speaks SAML, on this machine, with a page where its person signs in. Its signatures are real. */
export async function startSamlProvider(): Promise<SamlProvider> {
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', origin);
    if (at.pathname !== '/sso') return send(response, signInPage(at.href.replace('/login', '/sso')));
    return send(response, answerPage(provider.answer(at)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: SamlProvider = {
    entityId: `${origin}/metadata`,
    ssoUrl: `${origin}/login`,
    keys: [await makeSigningKey()],
    person: { nameId: 'nobody@nowhere.example' },
    metadata: () => toMetadata(provider),
    answer: (location, change = {}) => toAnswer(provider, readRequest(new URL(location)), change),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return provider;
}

/** What an AuthnRequest by redirect says. */
export function readRequest(location: URL): Asked & { xml: string } {
  const xml = inflateRawSync(Buffer.from(location.searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
  const find = (pattern: RegExp) => pattern.exec(xml)?.[1] ?? '';
  return {
    xml,
    id: find(/ ID="([^"]+)"/),
    acsUrl: find(/AssertionConsumerServiceURL="([^"]+)"/),
    audience: find(/<saml:Issuer[^>]*>([^<]+)</),
    relayState: location.searchParams.get('RelayState') ?? '',
  };
}

function toAnswer(provider: SamlProvider, asked: Asked, change: Change): SamlAnswer {
  const { sign: what = 'assertion', key = provider.keys[0]!, algorithms = SHA256, before, after } = change;
  let xml = toResponse(provider, asked, change);
  if (before) xml = before(xml);
  if (what === 'assertion' || what === 'both') xml = sign(xml, 'Assertion', key, algorithms);
  if (what === 'response' || what === 'both') xml = sign(xml, 'Response', key, algorithms);
  if (after) xml = after(xml);
  const form = { SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: asked.relayState };
  return { acsUrl: asked.acsUrl, form };
}

function toResponse({ entityId, person }: SamlProvider, asked: Asked, change: Change): string {
  const { issuer = entityId, audience = asked.audience, recipient = asked.acsUrl, inResponseTo = asked.id } = change;
  const { destination = asked.acsUrl, from = -60, until = 300 } = change;
  const { status = 'urn:oasis:names:tc:SAML:2.0:status:Success' } = change;
  const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
  const attributes = Object.entries(person.attributes ?? {}).map(([name, values]) => {
    const all = values.map((value) => `<saml:AttributeValue>${inXml(value)}</saml:AttributeValue>`).join('');
    return `<saml:Attribute Name="${name}">${all}</saml:Attribute>`;
  });
  const said = attributes.length > 0 ? `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>` : '';
  const answers = inResponseTo === '' ? '' : ` InResponseTo="${inResponseTo}"`;
  return `<samlp:Response xmlns:samlp="${PROTOCOL}" xmlns:saml="${ASSERTION}" ID="${newName()}" Version="2.0" IssueInstant="${at(0)}" Destination="${destination}"${answers}>
<saml:Issuer>${issuer}</saml:Issuer>
<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>
<saml:Assertion ID="${newName()}" Version="2.0" IssueInstant="${at(0)}">
<saml:Issuer>${issuer}</saml:Issuer>
<saml:Subject>
<saml:NameID Format="${person.format ?? BY_ADDRESS}">${inXml(person.nameId)}</saml:NameID>
<saml:SubjectConfirmation Method="${CM}"><saml:SubjectConfirmationData NotOnOrAfter="${at(until)}" Recipient="${recipient}"${answers}/></saml:SubjectConfirmation>
</saml:Subject>
<saml:Conditions NotBefore="${at(from)}" NotOnOrAfter="${at(until)}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>
<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="${newName()}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
${said}
</saml:Assertion>
</samlp:Response>`;
}

function toMetadata({ entityId, ssoUrl, keys }: SamlProvider): string {
  const descriptors = keys.map(({ certificate }) => {
    const lines = certificate.match(/.{1,64}/g)!.join('\n');
    return `<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data><ds:X509Certificate>
${lines}
</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
  });
  const service = (binding: string) =>
    `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${ssoUrl}"/>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- As a provider gives it to its administrators. -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entityId}">
<md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="${PROTOCOL}">
${descriptors.join('\n')}
<md:NameIDFormat>${BY_ADDRESS}</md:NameIDFormat>
${service('HTTP-POST')}
${service('HTTP-Redirect')}
</md:IDPSSODescriptor>
</md:EntityDescriptor>
`;
}

function newName(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

function inXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function send(response: ServerResponse, html: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><title>Hospital</title><body>${html}</body></html>`);
}

function signInPage(next: string): string {
  return `<h1>Hospital</h1><a href="${inXml(next)}">Sign in as who I am</a>`;
}

function answerPage({ acsUrl, form }: SamlAnswer): string {
  const fields = Object.entries(form).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  return `<form method="post" action="${acsUrl}">${fields.join('')}</form><script>document.forms[0].submit()</script>`;
}
