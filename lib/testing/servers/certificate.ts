import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type Certificate = { name: string; cert: string; key: string; privateKey: KeyObject };

const ECDSA_WITH_SHA256 = der(0x30, oid('2a8648ce3d040302'));
const DAY_MS = 86_400_000;

/** A certificate for one DNS name, good for a day, signed by `issuer` or by itself (RFC 5280): openssl is not everywhere. */
export function makeCertificate(name: string, issuer?: Certificate): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const now = Date.now();
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    distinguished(issuer?.name ?? name),
    der(0x30, time(now - DAY_MS), time(now + DAY_MS)),
    distinguished(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, subjectAltName(name), ...(issuer ? [] : [authority()]))),
  );
  const signature = sign('sha256', body, issuer?.privateKey ?? privateKey);
  const whole = der(0x30, body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { name, cert: toPem(whole), key, privateKey };
}

/** Tag, length, content (X.690 §8.1). */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function distinguished(name: string): Buffer {
  return der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(name)))));
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

function subjectAltName(name: string): Buffer {
  return der(0x30, oid('551d11'), der(0x04, der(0x30, der(0x82, Buffer.from(name)))));
}

function authority(): Buffer {
  const yes = der(0x01, Buffer.from([0xff]));
  return der(0x30, oid('551d13'), yes, der(0x04, der(0x30, yes)));
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
