import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type VerifyAuthenticationResponseOpts,
  type VerifyRegistrationResponseOpts,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';

/** What the browser sends of a new passkey, and of one that signs. */
export type Attestation = VerifyRegistrationResponseOpts['response'];
export type Assertion = VerifyAuthenticationResponseOpts['response'];

export type KnownKey = { credentialId: string; transports: string[] };

type NewKeyFor = {
  challenge: string;
  userHandle: string;
  /** As the browser shows it beside the passkey. */
  userName: string;
  displayName: string;
  /** Theirs already: their authenticators are not asked again. */
  known: KnownKey[];
};

const NAME = 'Gatehouse';
const WAIT_MS = 5 * 60_000;
/** Ed25519, ES256, RS256 (RFC 9053, RFC 8812). What comes after elliptic curves is an experiment in Node yet. */
const ALGORITHMS = [-8, -7, -257];

/** What `navigator.credentials.create` is to make: one that is found without a name, and asks who is there (WebAuthn Level 3 §5.4). */
export function creationOptions({ challenge, userHandle, userName, displayName, known }: NewKeyFor) {
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: rpId(),
    challenge: Buffer.from(challenge, 'base64url'),
    userID: Buffer.from(userHandle, 'base64url'),
    userName,
    userDisplayName: displayName,
    timeout: WAIT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credentialId: id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** What `navigator.credentials.get` is to sign, by whichever passkey the person has for this site: the same for everybody. */
export function requestOptions(challenge: string) {
  return generateAuthenticationOptions({
    rpID: rpId(),
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: WAIT_MS,
    userVerification: 'required',
  });
}

/** The challenge that the browser says was signed; undefined of what cannot be read. Whether it was, `readNewKey` and `readSignature` say. */
export function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    return typeof challenge === 'string' ? challenge : undefined;
  } catch {
    return undefined;
  }
}

export type NewKey = KnownKey & { publicKey: Buffer; counter: number; backedUp: boolean; aaguid: string };

/** The key of a new passkey; undefined unless it was made here, for this challenge, by a person who was verified. */
export async function readNewKey(response: Attestation, challenge: string): Promise<NewKey | undefined> {
  const found = await orUndefined(() =>
    verifyRegistrationResponse({
      response,
      ...expected(challenge),
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  const info = found?.verified ? found.registrationInfo : undefined;
  if (!info) return undefined;
  const { credential, aaguid, credentialBackedUp: backedUp } = info;
  const { id: credentialId, publicKey, counter, transports = [] } = credential;
  return { credentialId, publicKey: Buffer.from(publicKey), counter, transports, backedUp, aaguid };
}

/** What a signature tells; undefined unless this key made it here, for this challenge, with a person who was verified, and counted on. */
export async function readSignature(
  response: Assertion,
  challenge: string,
  key: { credentialId: string; publicKey: Buffer; counter: number },
): Promise<{ counter: number; backedUp: boolean } | undefined> {
  const { credentialId: id, counter } = key;
  const credential = { id, publicKey: new Uint8Array(key.publicKey), counter };
  const found = await orUndefined(() =>
    verifyAuthenticationResponse({ response, credential, ...expected(challenge), requireUserVerification: true }),
  );
  if (!found?.verified) return undefined;
  const { newCounter, credentialBackedUp: backedUp } = found.authenticationInfo;
  return { counter: newCounter, backedUp };
}

/** The host alone, whatever the port (WebAuthn Level 3 §5.1.3). */
function rpId(): string {
  return new URL(env().BASE_URL).hostname;
}

function expected(challenge: string) {
  return { expectedChallenge: challenge, expectedOrigin: env().BASE_URL, expectedRPID: rpId() };
}

/** The library throws for all that a caller can have sent wrongly; why is for the log. */
async function orUndefined<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (err) {
    log.info({ err }, 'a passkey was refused');
    return undefined;
  }
}
