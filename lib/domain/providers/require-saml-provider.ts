import { AppError, type Issue } from '#lib/base/errors.ts';
import { readCertificate } from '#lib/infra/saml/read-certificate.ts';
import type { SamlProvider } from '#lib/protocol/fhir/client-types.ts';
import { isAddress } from './require-provider.ts';

const MOST_CERTIFICATES = 10;
/** SAML Core §8.3.6. */
const MOST_ENTITY_ID = 1024;
const MOST_NAME = 512;

/** Rules of a SAML provider beyond its structure: where people are sent, and certificates that can be used. As it is kept. Throws 400 with one issue each. `path`: of the element. */
export function requireSamlProvider(provider: SamlProvider, path: string): SamlProvider {
  const issues: Issue[] = [];
  const wrong = (name: string, text: string) => issues.push({ text, expression: `${path}.${name}` });
  if (!isPlain(provider.entityId, MOST_ENTITY_ID)) wrong('entityId', 'entityId must be the entityID of its metadata');
  if (!isAddress(provider.ssoUrl)) wrong('ssoUrl', 'ssoUrl must be an https address');
  for (const name of ['emailAttribute', 'givenNameAttribute', 'familyNameAttribute'] as const)
    if (provider[name] !== undefined && !isPlain(provider[name], MOST_NAME)) wrong(name, `${name} is no name`);
  const given = provider.certificates ?? [];
  if (given.length === 0) wrong('certificates', 'A certificate is needed by which it signs');
  if (given.length > MOST_CERTIFICATES) wrong('certificates', `There can be ${MOST_CERTIFICATES} certificates at most`);
  const certificates = given.slice(0, MOST_CERTIFICATES).flatMap((text, index) => {
    try {
      return readCertificate(text).value;
    } catch (error) {
      wrong(`certificates[${index}]`, `This certificate cannot be used: ${(error as Error).message}`);
      return [];
    }
  });
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
  return { ...provider, certificates: [...new Set(certificates)] };
}

function isPlain(text: string, most: number): boolean {
  return text.length > 0 && text.length <= most && text === text.trim() && !/\p{Cc}/u.test(text);
}
