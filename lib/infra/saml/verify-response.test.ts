import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Change, type SamlProvider, startSamlProvider } from '#lib/testing/servers/saml-provider.ts';
import { makeSigningKey, type SigningKey } from '#lib/testing/servers/saml-signing.ts';
import { authnRequestUrl } from './authn-request.ts';
import type { SamlAuthority } from './names.ts';
import { verifyResponse } from './verify-response.ts';

const sp = { entityId: 'https://us.example/saml/metadata', acsUrl: 'https://us.example/saml' };
/** Of a processor, however busy it is; what this keeps away took 13 s and more. */
const MOST_SECONDS = 10;
let provider: SamlProvider;
let idp: SamlAuthority;
let stranger: SigningKey;

beforeAll(async () => {
  provider = await startSamlProvider();
  stranger = await makeSigningKey();
  const others = await Promise.all(Array.from({ length: 9 }, async () => (await makeSigningKey()).certificate));
  const certificates = [...others, provider.keys[0]!.certificate];
  idp = { entityId: provider.entityId, ssoUrl: provider.ssoUrl, certificates };
});
afterAll(() => provider.stop());

/** What comes of it, and what it cost. */
async function verify(change: Change): Promise<[said: string, seconds: number]> {
  const asked = { requestId: '_request', relayState: 'a-handle', byAddress: true };
  const { form } = provider.answer(await authnRequestUrl(idp, sp, asked), change);
  const begun = process.cpuUsage();
  const said = await verifyResponse(form.SAMLResponse, { idp, sp, requestId: '_request' }).then(
    ({ nameId }) => nameId,
    (error: Error) => error.message,
  );
  return [said, process.cpuUsage(begun).user / 1e6];
}

const inAssertion = (filler: string) => (xml: string) => xml.replace('</saml:Subject>', `</saml:Subject>${filler}`);
const some = (count: number, toText: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => toText(n)).join('');

const LARGE: Record<string, string> = {
  'many elements': '<saml:A/>'.repeat(930),
  'many attributes': some(50, (n) => `<saml:A ${some(45, (m) => `b${n}x${m}="1" `)}/>`),
  'many names':
    some(12, (n) => `<saml:A ${some(45, (m) => `xmlns:b${n}x${m}="u" `)}>`) +
    '<saml:B/>'.repeat(900) +
    '</saml:A>'.repeat(12),
  'much text': 'x'.repeat(150_000),
};

for (const [name, filler] of Object.entries(LARGE))
  test(`${name}: who has no key of the provider is refused before it costs anything, and who has one holds nobody up`, async () => {
    const before = inAssertion(filler);
    for (const sign of ['assertion', 'both'] as const) {
      const forged = await verify({ before, sign, key: stranger });
      expect(forged[0]).toMatch(/none of the provider’s certificates/);
      const taken = await verify({ sign, after: before });
      expect(taken[0]).toMatch(/^Invalid/);
      const own = await verify({ before, sign });
      expect(own[0]).toBe(provider.person.nameId);
      for (const [, seconds] of [forged, taken, own]) expect(seconds).toBeLessThan(MOST_SECONDS);
    }
  });

test('each algorithm that is named is one that is checked', async () => {
  const digest = 'http://www.w3.org/2001/04/xmlenc#sha512';
  for (const signature of [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ] as const) {
    expect((await verify({ algorithms: { signature, digest } }))[0]).toBe(provider.person.nameId);
    expect((await verify({ algorithms: { signature, digest }, key: stranger }))[0]).toMatch(/none of/);
  }
});
