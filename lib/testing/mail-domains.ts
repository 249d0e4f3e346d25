import { expect } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { sentTo } from './browser.ts';
import type { Answer } from './call-api.ts';
import { callAuth } from './call-auth.ts';
import { redeem } from './people.ts';
import type { DnsServer } from './servers/dns-server.ts';
import type { Claims, IdentityProvider } from './servers/identity-provider.ts';
import type { Change, SamlAnswer, SamlPerson, SamlProvider } from './servers/saml-provider.ts';
import { pkceOf } from './sign-in/pkce.ts';
import type { World } from './world.ts';

export const aDomain = () => `d${newId().slice(-12)}.example`;

export type Claimed = { domain: string; record: { name: string; value: string } };

export async function claim(of: World, domain = aDomain()): Promise<Claimed> {
  const made = await of.call('POST', '/domains', { body: { domain } });
  expect(made.status, made.text).toBe(201);
  return made.body;
}

/** Claimed, set in DNS and verified. */
export async function verified(of: World, dns: DnsServer, domain = aDomain()): Promise<Claimed> {
  const { record } = await claim(of, domain);
  dns.texts.set(record.name, ['v=spf1 -all', record.value]);
  const answer = await of.call('POST', `/domains/${domain}/verify`);
  expect(answer.status, answer.text).toBe(200);
  return { domain, record };
}

/** The same, with this provider. */
export async function withProvider(of: World, dns: DnsServer, { settings }: IdentityProvider): Promise<Claimed> {
  const made = await verified(of, dns);
  const set = await of.call('PATCH', `/domains/${made.domain}`, { body: { identityProvider: settings } });
  expect(set.status, set.text).toBe(200);
  return made;
}

type Entered = { answer: Answer; tokens?: Answer['body'] };

/** The whole way to the provider and back, as the sign-in page goes it. */
export async function enterBy(
  provider: IdentityProvider,
  email: string,
  { query = {}, claims = {} }: { query?: Record<string, string>; claims?: Partial<Claims> } = {},
): Promise<Entered> {
  provider.person = { sub: `p-${email}`, email, email_verified: true, ...claims };
  const { verifier, ...challenge } = pkceOf();
  const domain = email.slice(email.lastIndexOf('@') + 1);
  const started = await callAuth('GET', `/auth/external?${new URLSearchParams({ domain, ...challenge, ...query })}`);
  if (started.status !== 303) return { answer: started };
  const back = await provider.visit(sentTo(started));
  const cookie = started.headers.get('set-cookie')!.split(';')[0]!;
  const answer = await callAuth('GET', `${back.pathname}${back.search}`, { headers: { cookie } });
  if (answer.status !== 303) return { answer };
  const code = sentTo(answer).searchParams.get('code')!;
  return { answer, tokens: (await redeem({ code, code_verifier: verifier })).body };
}

/** The same, with a provider that speaks SAML. */
export async function withSaml(of: World, dns: DnsServer, provider: SamlProvider, more: object = {}): Promise<Claimed> {
  const made = await verified(of, dns);
  const samlProvider = { metadata: provider.metadata(), ...more };
  const set = await of.call('PATCH', `/domains/${made.domain}`, { body: { samlProvider } });
  expect(set.status, set.text).toBe(200);
  return made;
}

export type BegunBySaml = { to: URL; cookie: string; verifier: string; setCookie: string };

/** On the way to the provider of a domain, as the sign-in page sends a browser there. */
export async function beginSaml(domain: string, query: Record<string, string> = {}): Promise<BegunBySaml> {
  const { verifier, ...challenge } = pkceOf();
  const started = await callAuth('GET', `/auth/external?${new URLSearchParams({ domain, ...challenge, ...query })}`);
  const setCookie = started.headers.get('set-cookie') ?? '';
  return { to: sentTo(started), cookie: setCookie.split(';')[0]!, verifier, setCookie };
}

/** What a browser posts of a provider's answer, with what it has kept. */
export function bringBack({ acsUrl, form }: SamlAnswer, cookie: string, more: Record<string, string> = {}) {
  const body = new URLSearchParams({ ...form, ...more });
  return callAuth('POST', new URL(acsUrl).pathname, { body, headers: cookie ? { cookie } : {} });
}

/** The whole way to a SAML provider and back. */
export async function enterBySaml(
  provider: SamlProvider,
  domain: string,
  {
    query = {},
    person = {},
    change = {},
  }: { query?: Record<string, string>; person?: Partial<SamlPerson>; change?: Change } = {},
): Promise<Entered> {
  provider.person = { nameId: `p@${domain}`, ...person };
  const { to, cookie, verifier } = await beginSaml(domain, query);
  const answer = await bringBack(provider.answer(to, change), cookie);
  if (answer.status !== 303) return { answer };
  const code = sentTo(answer).searchParams.get('code')!;
  return { answer, tokens: (await redeem({ code, code_verifier: verifier })).body };
}
