import type { OperationOutcome } from '../fhir/types.ts';

const EXTENSION = 'urn:gatehouse:recovery-code';

type Told = OperationOutcome & { extension?: { url: string; valueString: string }[] };

/** POST /auth/mfa/enroll: with the first factor the recovery codes come along, told this once. */
export function withRecoveryCodes(outcome: OperationOutcome, codes: string[]): Told {
  if (codes.length === 0) return outcome;
  return { ...outcome, extension: codes.map((valueString) => ({ url: EXTENSION, valueString })) };
}

/** As `withRecoveryCodes` wrote them. */
export function readRecoveryCodes({ extension = [] }: Told): string[] {
  return extension.filter(({ url }) => url === EXTENSION).map(({ valueString }) => valueString);
}
