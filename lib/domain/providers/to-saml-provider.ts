import { AppError } from '#lib/base/errors.ts';
import { readIdpMetadata } from '#lib/infra/saml/read-idp-metadata.ts';
import type { SamlProvider } from '#lib/protocol/fhir/client-types.ts';
import type { SamlProviderEdit } from '#lib/protocol/mail-domains/requests.ts';
import { requireSamlProvider } from './require-saml-provider.ts';

/** A SAML provider as an administrator names it, by its metadata or in parts, as it is kept. Throws 400. `path`: of the field. */
export function toSamlProvider({ metadata, ...given }: SamlProviderEdit, path: string): SamlProvider {
  const parts = metadata === undefined ? given : { ...given, ...read(metadata, `${path}.metadata`) };
  const { entityId = '', ssoUrl = '', certificates = [] } = parts;
  return requireSamlProvider({ ...parts, entityId, ssoUrl, certificates }, path);
}

function read(metadata: string, expression: string) {
  try {
    return readIdpMetadata(metadata);
  } catch (error) {
    throw new AppError('invalid', `This metadata cannot be used: ${(error as Error).message}`, { expression });
  }
}
