import 'reflect-metadata';
import { X509CertificateGenerator } from '@peculiar/x509';
import { SignedXml } from 'xml-crypto';

/** Both in base64 of DER; the key as PEM, too. */
export type SigningKey = { certificate: string; privateKey: string };

const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]) };
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY = 86_400_000;

/** A key with a certificate that it has signed itself, good from yesterday on for so many days. */
export async function makeSigningKey({ bits = 2048, days = 365, elliptic = false } = {}): Promise<SigningKey> {
  const algorithm = elliptic ? EC : { ...RSA, modulusLength: bits };
  const keys = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Hospital',
    notBefore: new Date(Date.now() - DAY),
    notAfter: new Date(Date.now() + days * DAY),
    signingAlgorithm: algorithm,
    keys,
  });
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${der.match(/.{1,64}/g)!.join('\n')}\n-----END PRIVATE KEY-----\n`;
  return { certificate: Buffer.from(certificate.rawData).toString('base64'), privateKey };
}

/** Signs the one element of this name, right after its Issuer, as SAML has it. */
export function sign(
  xml: string,
  name: 'Assertion' | 'Response',
  { privateKey, certificate }: SigningKey,
  algorithms: { signature: string; digest: string },
): string {
  const reference = `//*[local-name(.)='${name}']`;
  const signature = new SignedXml({
    privateKey,
    publicCert: `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)!.join('\n')}\n-----END CERTIFICATE-----\n`,
    signatureAlgorithm: algorithms.signature,
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.addReference({
    xpath: reference,
    digestAlgorithm: algorithms.digest,
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
  });
  const location = { reference: `${reference}/*[local-name(.)='Issuer']`, action: 'after' as const };
  signature.computeSignature(xml, { location });
  return signature.getSignedXml();
}
