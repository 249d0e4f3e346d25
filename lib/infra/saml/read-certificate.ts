import { X509Certificate } from 'node:crypto';

export type Certificate = {
  /** Base64 of its DER. */
  value: string;
  /** SHA-256, in hexadecimal pairs. */
  fingerprint: string;
  /** Instants. */
  startsAt: string;
  endsAt: string;
};

const LEAST_BITS = 2048;
/** More makes each signature slow to check, and is nobody's. */
const MOST_BITS = 8192;

/** A certificate as PEM, or as base64 of its DER. Throws an Error that says what is wrong; that its time is over is not. */
export function readCertificate(text: string): Certificate {
  const found = parse(text.replace(/-----(BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, ''));
  const { asymmetricKeyType, asymmetricKeyDetails } = found.publicKey;
  if (asymmetricKeyType !== 'rsa') throw new Error('its key must be an RSA key');
  const bits = asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < LEAST_BITS || bits > MOST_BITS) throw new Error(`its key must have ${LEAST_BITS} to ${MOST_BITS} bits`);
  return {
    value: found.raw.toString('base64'),
    fingerprint: found.fingerprint256,
    startsAt: new Date(found.validFrom).toISOString(),
    endsAt: new Date(found.validTo).toISOString(),
  };
}

function parse(base64: string): X509Certificate {
  try {
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) throw new Error('no base64');
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    throw new Error('it is no certificate: PEM, or base64 of its DER');
  }
}
