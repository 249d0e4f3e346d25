import type { CodeableConcept } from 'fhir/r4';

/** In `after` of a row of the log: the grant of emergency access under which it was done. */
export const GLASS_TAG = 'breakGlass';

/** HL7 v3 ActReason, of the value set that R4 binds AuditEvent.purposeOfEvent and agent.purposeOfUse to. */
const BREAK_THE_GLASS: CodeableConcept = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'BTG', display: 'break the glass' }],
};

export function grantIn(after: unknown): string | undefined {
  const grant = (after as { [GLASS_TAG]?: unknown } | null | undefined)?.[GLASS_TAG];
  return typeof grant === 'string' ? grant : undefined;
}

/** Why it was done, where that is known. */
export function purposeOf(after: unknown): CodeableConcept[] | undefined {
  return grantIn(after) === undefined ? undefined : [BREAK_THE_GLASS];
}
