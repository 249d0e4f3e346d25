import type { AccessPolicy, AccessPolicyRule } from '../fhir/types.ts';

export type PolicyTemplate = { key: string; name: string; does: string; policy: AccessPolicy };

const OWN = ['AllergyIntolerance', 'Appointment', 'CarePlan', 'Condition', 'DiagnosticReport', 'DocumentReference'];
const OWN_TOO = ['Encounter', 'Immunization', 'MedicationRequest', 'Observation', 'Procedure'];
const BILLED = ['Account', 'ChargeItem', 'Claim', 'ClaimResponse', 'Coverage', 'ExplanationOfBenefit', 'Invoice'];

/** To begin with. A test holds each to what it says (access-policies/templates.test.ts). */
export const POLICY_TEMPLATES: readonly PolicyTemplate[] = [
  template('patient-portal', 'Patient portal', 'Patients read their own record and change nothing.', [
    { resourceType: 'Patient', criteria: 'Patient?_id=%patient.id', readonly: true },
    ...[...OWN, ...OWN_TOO].map((resourceType) => {
      return { resourceType, criteria: `${resourceType}?_compartment=%patient`, readonly: true };
    }),
  ]),
  template(
    'ward-nurse',
    'Ward nurse',
    'Reads the patients of one organization (parameter organization) and all observations, writes observations of which they are the performer, and deletes nothing.',
    [
      { resourceType: 'Patient', criteria: 'Patient?organization=%organization', readonly: true },
      { resourceType: 'Observation', readonly: true },
      { resourceType: 'Observation', criteria: 'Observation?performer=%profile', interaction: ['create', 'update'] },
    ],
  ),
  template(
    'billing',
    'Billing',
    'Works on claims, coverage, accounts and invoices, reads patients, and sees nothing clinical.',
    [...BILLED.map((resourceType) => ({ resourceType })), { resourceType: 'Patient', readonly: true }],
  ),
  template(
    'researcher',
    'Researcher without names',
    'Reads patients without names, identifiers, addresses and contacts, and conditions and observations without notes and narratives.',
    [
      {
        resourceType: 'Patient',
        readonly: true,
        hiddenFields: ['name', 'identifier', 'telecom', 'address', 'contact', 'photo', 'text', 'link'],
      },
      { resourceType: 'Condition', readonly: true, hiddenFields: ['note', 'text', 'identifier'] },
      { resourceType: 'Observation', readonly: true, hiddenFields: ['note', 'text', 'identifier'] },
    ],
  ),
  template('bot', 'Bot that writes one type', 'Creates Communications, and neither reads nor changes anything.', [
    { resourceType: 'Communication', interaction: ['create'] },
  ]),
];

function template(key: string, name: string, does: string, resource: AccessPolicyRule[]): PolicyTemplate {
  return { key, name, does, policy: { resourceType: 'AccessPolicy', name, resource } };
}
