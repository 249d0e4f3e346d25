import { env } from './env.ts';

/** The public FHIR base, without a slash at the end: what fullUrl, Location and links start with. */
export function fhirBase(): string {
  return `${env().BASE_URL}/fhir/R4`;
}
