import { BY_REDIRECT, METADATA, PROTOCOL, type SamlAuthority, SIGNATURE } from './names.ts';
import { attributeOf, childOf, childrenOf, elementsOf, parseXml, textOf } from './parse-xml.ts';
import { readCertificate } from './read-certificate.ts';

/**
 * Who an identity provider is, as its metadata says (SAML Metadata §2.4.3): certificates that it may sign with, as far as they are of use here.
 * Throws an Error that says what is missing. That the metadata is signed, or was good until some day, is not looked at: an administrator has brought it.
 */
export function readIdpMetadata(xml: string): SamlAuthority {
  const root = parseXml(xml.trim(), { plain: true });
  if (root.namespaceURI !== METADATA || root.localName !== 'EntityDescriptor')
    throw new Error('it must be the EntityDescriptor of one identity provider');
  const entityId = attributeOf(root, 'entityID');
  if (!entityId) throw new Error('it has no entityID');
  const role = childrenOf(root, METADATA, 'IDPSSODescriptor').find((one) =>
    attributeOf(one, 'protocolSupportEnumeration')?.split(/\s+/).includes(PROTOCOL),
  );
  if (!role) throw new Error('it is not of an identity provider that speaks SAML 2.0');
  const service = childrenOf(role, METADATA, 'SingleSignOnService').find(
    (one) => attributeOf(one, 'Binding') === BY_REDIRECT,
  );
  const ssoUrl = attributeOf(service, 'Location');
  if (!ssoUrl) throw new Error('it has no SingleSignOnService for the HTTP-Redirect binding');
  const certificates = childrenOf(role, METADATA, 'KeyDescriptor')
    .filter((key) => (attributeOf(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => {
      const info = childOf(key, SIGNATURE, 'KeyInfo');
      return info ? elementsOf(info).filter((one) => one.localName === 'X509Certificate') : [];
    })
    .map((one) => textOf(one).replace(/\s+/g, ''));
  const usable = [...new Set(certificates)].filter(isUsable);
  if (usable.length === 0) throw new Error('it has no certificate of an RSA key that it signs with');
  return { entityId, ssoUrl, certificates: usable };
}

function isUsable(certificate: string): boolean {
  try {
    return readCertificate(certificate) !== undefined;
  } catch {
    return false;
  }
}
