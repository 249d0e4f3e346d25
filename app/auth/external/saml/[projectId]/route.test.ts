import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { sentTo } from '#lib/testing/browser.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { beginSaml, bringBack, enterBySaml, withSaml } from '#lib/testing/mail-domains.ts';
import { redeem } from '#lib/testing/people.ts';
import { type DnsServer, startDnsServer } from '#lib/testing/servers/dns-server.ts';
import { type Change, readRequest, type SamlProvider, startSamlProvider } from '#lib/testing/servers/saml-provider.ts';
import { makeSigningKey, type SigningKey } from '#lib/testing/servers/saml-signing.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

const HERE = 'http://localhost:3999';
const NOBODY = /did not confirm/;
const NOT_AWAITED = /does not wait/;
let restore: () => void;
let dns: DnsServer;
let provider: SamlProvider;
let second: SamlProvider;
let world: World;
let other: World;
let domain: string;
let theirs: string;
let email: string;
let ann: Awaited<ReturnType<World['invite']>>;
let stranger: SigningKey;

beforeAll(async () => {
  dns = await startDnsServer();
  restore = changeSettings({ DNS_SERVERS: [dns.address], FETCH_PRIVATE_ADDRESSES: true });
  [provider, second] = await Promise.all([startSamlProvider(), startSamlProvider()]);
  [world, other] = [await createWorld(), await createWorld()];
  domain = (await withSaml(world, dns, provider)).domain;
  theirs = (await withSaml(other, dns, second)).domain;
  email = `ann@${domain}`;
  ann = await world.invite({ email });
  stranger = await makeSigningKey();
});
afterAll(async () => {
  restore();
  await Promise.all([provider.stop(), second.stop(), dns.stop()]);
});

const enter = (change: Change = {}, person = {}) =>
  enterBySaml(provider, domain, { change, person: { nameId: email, ...person } });
const refusal = async (change: Change, person = {}) => {
  const { answer } = await enter(change, person);
  return [answer.status, answer.text];
};
const REFUSED = [400, expect.stringMatching(NOBODY)];

describe('the whole way', () => {
  test('a method, a request by redirect, an answer by POST, and a code that the challenge binds', async () => {
    const asked = await callAuth('POST', '/auth/method', { body: { email } });
    expect(asked.body).toEqual({ domain, optional: true, authorizeUrl: expect.stringContaining('/auth/external?') });
    const { to, setCookie, cookie, verifier } = await beginSaml(domain);
    expect(to.href.startsWith(provider.ssoUrl)).toBe(true);
    expect([...to.searchParams.keys()].sort()).toEqual(['RelayState', 'SAMLRequest']);
    expect(setCookie).toMatch(/; Path=\/auth\/external; Max-Age=600; HttpOnly; SameSite=Lax$/);
    const acsUrl = `${HERE}/auth/external/saml/${world.projectId}`;
    const request = readRequest(to);
    expect(request).toMatchObject({
      acsUrl,
      audience: `${acsUrl}/metadata`,
      relayState: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(request.xml).not.toContain('RequestedAuthnContext');
    provider.person = { nameId: email };
    const back = await bringBack(provider.answer(to), cookie);
    expect(back.headers.get('set-cookie')).toMatch(/Max-Age=0/);
    const page = sentTo(back);
    expect([page.origin, page.pathname, [...page.searchParams.keys()]]).toEqual([HERE, '/signin', ['login', 'code']]);
    const code = page.searchParams.get('code')!;
    expect((await redeem({ code, code_verifier: 'v'.repeat(43) })).status).toBe(400);
    const tokens = await redeem({ code, code_verifier: verifier });
    expect(tokens.body.project.reference).toBe(`Project/${world.projectId}`);
    const me = await callAuth('GET', '/auth/me', { token: tokens.body.access_token });
    expect(me.body.security.sessions[0].authMethod).toBe('external');
    expect(await auditOf(world.projectId, ann.user.reference)).toContain('login.external');
  });

  test('without a cookie, as another site sends it, a page hands the answer back to our own, and nothing is spent', async () => {
    const { to, cookie } = await beginSaml(domain);
    provider.person = { nameId: email };
    const answer = provider.answer(to);
    for (const _ of [1, 2]) {
      const page = await bringBack(answer, '');
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-/);
      expect(page.text).toContain(`value="${answer.form.SAMLResponse}"`);
      expect(page.headers.get('set-cookie')).toBeNull();
    }
    expect((await bringBack(answer, cookie, { again: '1' })).status).toBe(303);
  });

  test('signed as a whole, in its assertion, or both', async () => {
    for (const sign of ['assertion', 'response', 'both'] as const)
      expect([sign, (await enter({ sign })).answer.status]).toEqual([sign, 303]);
  });

  test('a rolled-over certificate: signed by any that is named, no longer when it is taken out', async () => {
    const rolling = await startSamlProvider();
    const [old, next] = [rolling.keys[0]!, await makeSigningKey()];
    rolling.keys = [old, next];
    const own = await withSaml(world, dns, rolling);
    await world.invite({ email: `p@${own.domain}` });
    const by = async (key: SigningKey) => (await enterBySaml(rolling, own.domain, { change: { key } })).answer.status;
    expect([await by(old), await by(next), await by(stranger)]).toEqual([303, 303, 400]);
    rolling.keys = [next];
    const samlProvider = { metadata: rolling.metadata() };
    expect((await world.call('PATCH', `/domains/${own.domain}`, { body: { samlProvider } })).status).toBe(200);
    expect([await by(old), await by(next)]).toEqual([400, 303]);
    await rolling.stop();
  });

  test('an address by an attribute, and names, as they are configured', async () => {
    const names = { emailAttribute: 'mail', givenNameAttribute: 'given', familyNameAttribute: 'family' };
    const own = await withSaml(world, dns, provider, names);
    const mine = `dee@${own.domain}`;
    await world.invite({ email: mine });
    const person = (attributes: Record<string, string[]>) => ({
      nameId: 'u-17',
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      attributes,
    });
    const by = (attributes: Record<string, string[]>) =>
      enterBySaml(provider, own.domain, { person: person(attributes) });
    expect((await by({ mail: [mine.toUpperCase()] })).answer.status).toBe(303);
    const nobody = /Nobody here is known/;
    const wrong: Record<string, string[]>[] = [
      {},
      { mail: [] },
      { mail: ['', mine] },
      { mail: [mine, `x@${own.domain}`] },
      { Mail: [mine] },
    ];
    for (const attributes of wrong) expect((await by(attributes)).answer.text).toMatch(nobody);
    const inNameId = { nameId: mine };
    expect((await enterBySaml(provider, own.domain, { person: inNameId })).answer.text).toMatch(nobody);
  });

  test('a name that is no address, or of another domain, is nobody’s', async () => {
    await world.invite({ email: 'ann@elsewhere.example' });
    for (const person of [
      { format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified' },
      { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent' },
      { nameId: 'ann@elsewhere.example' },
      { nameId: `ann@evil-${domain}` },
      { nameId: `${email}@elsewhere.example` },
      { nameId: `ann@${theirs}` },
      { nameId: `${newId()}@${domain}` },
      { nameId: `${'a'.repeat(300)}@${domain}` },
    ])
      expect((await enter({}, person)).answer.text).toMatch(/Nobody here is known|did not confirm/);
  });
});

describe('an answer is good once, in the browser that asked', () => {
  test('without the cookie, with that of another sign-in, twice, at once, and without a handle of ours', async () => {
    provider.person = { nameId: email };
    const [mine, elses] = [await beginSaml(domain), await beginSaml(domain)];
    const answer = provider.answer(mine.to);
    const wrong = [
      await bringBack(answer, '', { again: '1' }),
      await bringBack(answer, elses.cookie, { again: '1' }),
      await bringBack(answer, `${mine.cookie.split('=')[0]}=${elses.cookie.split('=')[1]}`),
      await bringBack(answer, `${mine.cookie}x`),
      await bringBack(answer, mine.cookie, { RelayState: '' }),
      await bringBack(answer, mine.cookie, { RelayState: 'https://evil.example/' }),
      await bringBack(answer, mine.cookie, { SAMLResponse: '"><script>alert(1)</script>' }),
    ];
    for (const { status, text } of wrong) expect([status, text]).toEqual([400, expect.stringMatching(NOT_AWAITED)]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => bringBack(answer, mine.cookie)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(19).fill(400)]);
    expect((await bringBack(answer, mine.cookie)).text).toMatch(NOT_AWAITED);
  });

  test('an assertion that was used is refused in another sign-in, and so is one that was made for another browser', async () => {
    provider.person = { nameId: email };
    const mine = await beginSaml(domain);
    const answer = provider.answer(mine.to);
    expect((await bringBack(answer, mine.cookie)).status).toBe(303);
    const again = await beginSaml(domain);
    const replayed = { ...answer, form: { ...answer.form, RelayState: readRequest(again.to).relayState } };
    expect((await bringBack(replayed, again.cookie)).text).toMatch(NOBODY);
  });

  test('nobody is signed in who has not begun it here (IdP-initiated)', async () => {
    provider.person = { nameId: email };
    const { to } = await beginSaml(domain);
    const unasked = provider.answer(to, { inResponseTo: '' });
    for (const relayState of ['', 'a'.repeat(43)]) {
      const answer = { ...unasked, form: { ...unasked.form, RelayState: relayState } };
      expect((await bringBack(answer, '', { again: '1' })).text).toMatch(NOT_AWAITED);
    }
    expect(await refusal({ inResponseTo: '' })).toEqual(REFUSED);
    expect(await refusal({ inResponseTo: `_${'x'.repeat(43)}` })).toEqual(REFUSED);
  });

  test('at the address of another project it is not awaited', async () => {
    provider.person = { nameId: email };
    const { to, cookie } = await beginSaml(domain);
    const acsUrl = `${HERE}/auth/external/saml/${other.projectId}`;
    expect((await bringBack({ ...provider.answer(to), acsUrl }, cookie)).text).toMatch(NOT_AWAITED);
  });

  test('another project’s provider signs for none of these addresses', async () => {
    second.person = { nameId: email };
    for (const change of [{}, { issuer: provider.entityId }]) {
      const { to, cookie } = await beginSaml(domain);
      expect((await bringBack(second.answer(to, change), cookie)).text).toMatch(NOBODY);
    }
  });
});

describe('refused is', () => {
  const OTHER = 'https://evil.example/acs';
  const cases: Record<string, Change> = {
    'what is not signed': { sign: 'none' },
    'another issuer': { issuer: 'https://evil.example/idp' },
    'another audience': { audience: 'https://evil.example/sp' },
    'another recipient': { recipient: OTHER },
    'another destination': { destination: OTHER },
    'what is over': { until: -120 },
    'what is not yet': { from: 120 },
    'what the provider says no to': { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' },
    'SHA-1 in the signature': {
      algorithms: {
        signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
        digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
      },
    },
    'SHA-1 in the digest': {
      algorithms: {
        signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
        digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
      },
    },
    'what was changed after it was signed': { after: (xml) => xml.replace(email, `bo@${domain}`) },
    'a signature that is broken': { after: (xml) => xml.replace(/<SignatureValue>..../, '<SignatureValue>AAAA') },
    'a comment in the NameID': { before: (xml) => xml.replace(email, `${email}<!-- -->.evil.example`) },
    'a comment that was put in after': { after: (xml) => xml.replace(email, email.replace('@', '<!-- -->@')) },
    'an instruction in the NameID': { after: (xml) => xml.replace(email, `${email}<?x ?>`) },
    'a document type': { after: (xml) => `<!DOCTYPE x [<!ENTITY a "b">]>${xml}` },
    'an assertion without a subject’s confirmation': {
      before: (xml) => xml.replace(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, ''),
    },
    'an assertion that is confirmed otherwise': { before: (xml) => xml.replace('cm:bearer', 'cm:sender-vouches') },
    'a confirmation without an end': {
      before: (xml) => xml.replace(/(<saml:SubjectConfirmationData) NotOnOrAfter="[^"]*"/, '$1'),
    },
    'an assertion without conditions': { before: (xml) => xml.replace(/<saml:Conditions.*<\/saml:Conditions>/, '') },
    'an assertion for no audience': {
      before: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, ''),
    },
    'an assertion without a sign-in': {
      before: (xml) => xml.replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, ''),
    },
    'two names': { before: (xml) => xml.replace(/<saml:NameID.*<\/saml:NameID>/, '$&$&') },
    'an end that is no instant': { before: (xml) => xml.replace(/NotOnOrAfter="[^"]*"/g, 'NotOnOrAfter="never"') },
    'an older SAML': { before: (xml) => xml.replaceAll('Version="2.0"', 'Version="1.1"') },
    'what is no answer': { sign: 'none', after: () => '<a/>' },
    'what is no XML': { sign: 'none', after: () => 'a < b' },
    'nothing but space': { sign: 'none', after: () => '   ' },
  };
  for (const [name, change] of Object.entries(cases))
    test(name, async () => {
      expect(await refusal(change)).toEqual(REFUSED);
    });

  test('a certificate that is not the provider’s, also one that the answer brings along', async () => {
    expect(await refusal({ key: stranger })).toEqual(REFUSED);
    expect(await refusal({ key: stranger, sign: 'response' })).toEqual(REFUSED);
    // One signature that is good does not make up for one that is not.
    expect(
      await refusal({
        after: (xml) =>
          xml.replace(
            /(<samlp:Response[^>]*>\s*<saml:Issuer>[^<]*<\/saml:Issuer>)/,
            (all) => all + signatureOf(xml).replace(/URI="[^"]*"/, `URI="#${idOf(xml, 'Response')}"`),
          ),
      }),
    ).toEqual(REFUSED);
  });

  test('a signed assertion that is wrapped into one that is not', async () => {
    const evil = (xml: string) =>
      assertionOf(xml)
        .replace(/<Signature .*<\/Signature>/s, '')
        .replace(email, `bo@${domain}`);
    const renamed = (xml: string) => evil(xml).replace(idOf(xml, 'Assertion'), '_evil');
    const wrapped: ((xml: string) => string)[] = [
      // Beside it, before and after.
      (xml) => xml.replace(assertionOf(xml), renamed(xml) + assertionOf(xml)),
      (xml) => xml.replace(assertionOf(xml), assertionOf(xml) + renamed(xml)),
      (xml) => xml.replace(assertionOf(xml), evil(xml) + assertionOf(xml)),
      // What is signed stands within, with its signature or without.
      (xml) =>
        xml.replace(
          assertionOf(xml),
          renamed(xml).replace('</saml:Assertion>', `${assertionOf(xml)}</saml:Assertion>`),
        ),
      (xml) =>
        xml.replace(
          assertionOf(xml),
          renamed(xml).replace(
            '</saml:Issuer>',
            `</saml:Issuer>${signatureOf(xml).replace('</Signature>', `<Object>${assertionOf(xml)}</Object></Signature>`)}`,
          ),
        ),
      (xml) => xml.replace(assertionOf(xml), `${renamed(xml)}<samlp:Extensions>${assertionOf(xml)}</samlp:Extensions>`),
      (xml) =>
        xml.replace(
          assertionOf(xml),
          `${renamed(xml).replace('</saml:Issuer>', `</saml:Issuer>${signatureOf(xml)}`)}<x:Kept xmlns:x="urn:x" ID="${idOf(xml, 'Assertion')}"/>`,
        ),
      // A whole answer within another.
      (xml) => xml.replace('<samlp:Status>', `<samlp:Extensions>${xml}</samlp:Extensions><samlp:Status>`),
    ];
    for (const after of wrapped) expect(await refusal({ after })).toEqual(REFUSED);
    for (const after of wrapped) expect(await refusal({ after, sign: 'both' })).toEqual(REFUSED);
    for (const after of wrapped) expect(await refusal({ after, sign: 'response' })).toEqual(REFUSED);
  });

  test('two assertions, both signed as one', async () => {
    const before = (xml: string) =>
      xml.replace(assertionOf(xml), assertionOf(xml) + assertionOf(xml).replace(idOf(xml, 'Assertion'), '_second'));
    expect(await refusal({ before, sign: 'response' })).toEqual(REFUSED);
  });

  test('an assertion that is encrypted: we have no key', async () => {
    const before = (xml: string) => xml.replaceAll('saml:Assertion', 'saml:EncryptedAssertion');
    expect(await refusal({ before, sign: 'response' })).toEqual(REFUSED);
  });

  test('a body that is too large, before it is read as XML, and XML that grows', async () => {
    const { to, cookie } = await beginSaml(domain);
    const answer = provider.answer(to);
    const large = { ...answer, form: { ...answer.form, SAMLResponse: 'A'.repeat(1024 * 1024) } };
    expect((await bringBack(large, cookie)).status).toBe(413);
    const bombs = [
      `<!DOCTYPE a [${Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('')}]><a>&e9;</a>`,
      '<a>'.repeat(40_000),
      '<a>'.repeat(990),
      `${'<a>'.repeat(990)}${'</a>'.repeat(990)}`,
      `<a ${Array.from({ length: 2400 }, (_, n) => `b${n}=""`).join(' ')}/>`,
      `<a ${Array.from({ length: 20_000 }, (_, n) => `b${n}=""`).join(' ')}/>`,
      Array.from({ length: 990 }, (_, n) => `<a xmlns:n${n}="u">`).join('') + '</a>'.repeat(990),
      `<a b="${'&#65;'.repeat(30_000)}"/>`,
      `<a ${'"'.repeat(150_000)}`,
      '<'.repeat(7900),
      `<a${' '.repeat(150_000)}`,
    ];
    for (const bomb of bombs) {
      const begun = process.cpuUsage();
      expect(await refusal({ sign: 'none', after: () => bomb })).toEqual(REFUSED);
      expect([bomb.slice(0, 20), process.cpuUsage(begun).user < 10e6]).toEqual([bomb.slice(0, 20), true]);
    }
  });
});

const assertionOf = (xml: string) => /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)![0];
const signatureOf = (xml: string) => /<Signature .*?<\/Signature>/s.exec(xml)?.[0] ?? '';
const idOf = (xml: string, name: string) => new RegExp(`:${name} [^>]*\\bID="([^"]+)"`).exec(xml)![1]!;
