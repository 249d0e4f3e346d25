/** SAML 2.0: Core §1, Bindings §3, Metadata §1, and XML Signature. */
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
export const BY_REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
export const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
export const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
export const EMAIL_ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Who asks: we, as one project's provider knows us. */
export type ServiceProvider = { entityId: string; acsUrl: string };
/** Who answers. Certificates in base64 of their DER; any of them may have signed. */
export type SamlAuthority = { entityId: string; ssoUrl: string; certificates: string[] };
