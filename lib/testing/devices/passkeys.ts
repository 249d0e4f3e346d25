import type { Passkey } from '#lib/protocol/passkeys/answers.ts';
import { type Browser, openBrowser } from '../browser.ts';
import { callAuth } from '../call-auth.ts';
import type { Owner } from '../people.ts';
import { type Authenticator, makeAuthenticator } from './passkey-device.ts';

export const PKCE = { codeChallenge: 'c'.repeat(43), codeChallengeMethod: 'plain' };

/** A passkey that somebody has added, signed in with their password a moment ago. */
export async function addPasskey(
  owner: Owner,
  given?: Browser,
): Promise<{ browser: Browser; key: Authenticator; passkey: Passkey }> {
  const browser = given ?? (await openBrowser(owner));
  const key = makeAuthenticator();
  const { body: options } = await browser.send('POST', '/auth/passkeys/options', {});
  const { status, body, text } = await browser.send('POST', '/auth/passkeys', { response: key.create(options) });
  if (status !== 201) throw new Error(text);
  return { browser, key, passkey: body };
}

export async function offered(): Promise<{ challenge: string }> {
  return (await callAuth('POST', '/auth/passkey/options')).body;
}

type Call = { remote?: string; headers?: Record<string, string> };

/** A sign-in with a fresh challenge, changed by `change`. */
export async function signInBy(
  key: Authenticator,
  fields: Record<string, unknown> = {},
  change?: Parameters<Authenticator['get']>[1],
) {
  return show(key.get(await offered(), change), fields);
}

export function show(response: object, fields: Record<string, unknown> = {}, call: Call = {}) {
  return callAuth('POST', '/auth/passkey/verify', { body: { response, ...PKCE, ...fields }, ...call });
}
