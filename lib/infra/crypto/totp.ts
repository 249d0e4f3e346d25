import { createHmac } from 'node:crypto';
import { generate } from 'lean-qr';
import { toPngDataURL } from 'lean-qr/extras/node_export';
import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with what every authenticator app knows: SHA-1, six digits, 30 seconds. */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** Clocks differ by a step to each side (RFC 6238 §5.2). */
const WINDOW = 1;

/** 160 bits in base32, as RFC 4226 §4 recommends. */
export function makeTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** One of several that come of one secret; who has one knows no other. */
export function deriveTotpSecret(secret: string, name: string): string {
  const bytes = createHmac('sha256', secret).update(name).digest().subarray(0, 20);
  return new Secret({ buffer: new Uint8Array(bytes).buffer }).base32;
}

/** What an authenticator app reads, and how it names the account. */
export function toTotpUri(secret: string, account: string): string {
  return new TOTP({ ...KIND, issuer: 'Gatehouse', label: account, secret }).toString();
}

/** The time step whose code this is; undefined when it is none of now. Constant-time. */
export function stepOfTotp(secret: string, code: string): number | undefined {
  const totp = new TOTP({ ...KIND, secret });
  const delta = totp.validate({ token: code, window: WINDOW });
  return delta === null ? undefined : totp.counter() + delta;
}

/** As a QR code: a picture in a data URL. */
export function toQrCode(text: string): string {
  return toPngDataURL(generate(text), { scale: 5 });
}
