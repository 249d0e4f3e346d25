import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import { newSecret } from '#lib/base/ids.ts';

type Site = { origin?: string; rpId?: string; challenge?: string; type?: string };
type Signing = Site & { counter?: number; verified?: boolean; userHandle?: string };
type CreationOptions = { challenge: string; user: { id: string } };

export type Authenticator = {
  credentialId: string;
  /** What a browser sends of a new passkey (attestation `none`). */
  create(options: CreationOptions, change?: Signing): object;
  /** What a browser sends of a sign-in, the counter one further each time. */
  get(options: { challenge: string }, change?: Signing): object;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
/** May be copied, and has been. */
const BACKED_UP = 0x18;
const HAS_KEY = 0x40;

/** A passkey of a synced provider, in software: ES256, WebAuthn Level 3 §6. */
export function makeAuthenticator(): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = Buffer.from(newSecret(16), 'base64url');
  const credentialId = id.toString('base64url');
  const credential = { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {} };
  let counter = 0;
  let handle: string | undefined;
  return {
    credentialId,
    create(options, change = {}) {
      handle = options.user.id;
      const key = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseKey(publicKey)]);
      const authData = Buffer.concat([dataOf(HAS_KEY, { counter, ...change }), key]);
      const response = {
        clientDataJSON: clientData('webauthn.create', options.challenge, change),
        attestationObject: attestation(authData).toString('base64url'),
        transports: ['internal', 'hybrid'],
      };
      return { ...credential, response };
    },
    get(options, change = {}) {
      counter = change.counter ?? counter + 1;
      const authData = dataOf(0, { counter, ...change });
      const clientDataJSON = clientData('webauthn.get', options.challenge, change);
      const signature = signed(privateKey, authData, clientDataJSON);
      const userHandle = change.userHandle ?? handle;
      const authenticatorData = authData.toString('base64url');
      return { ...credential, response: { clientDataJSON, authenticatorData, signature, userHandle } };
    },
  };
}

function clientData(type: string, challenge: string, change: Site): string {
  const data = { type, challenge, origin: env().BASE_URL, crossOrigin: false };
  const { rpId: _, ...changed } = change;
  return Buffer.from(JSON.stringify({ ...data, ...changed })).toString('base64url');
}

function dataOf(more: number, { rpId, counter = 0, verified = true }: Signing): Buffer {
  const host = rpId ?? new URL(env().BASE_URL).hostname;
  const flags = PRESENT | BACKED_UP | (verified ? VERIFIED : 0) | more;
  return Buffer.concat([createHash('sha256').update(host).digest(), uint(flags, 1), uint(counter, 4)]);
}

function signed(key: KeyObject, authData: Buffer, clientDataJSON: string): string {
  const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
  return sign('sha256', Buffer.concat([authData, hash]), key).toString('base64url');
}

function uint(value: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
}

/** {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9052 §7, RFC 9053 §7.1), in CBOR. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = (name: number, value: string) => [Buffer.from([name, 0x58, 32]), Buffer.from(value, 'base64url')];
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([head, ...point(0x21, x), ...point(0x22, y)]);
}

/** {fmt: "none", attStmt: {}, authData}. */
function attestation(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData')],
    ...[Buffer.from([0x59]), uint(authData.length, 2), authData],
  ]);
}
