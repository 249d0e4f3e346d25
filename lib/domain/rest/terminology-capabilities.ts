/**
 * What this server does with code systems and value sets (R4 TerminologyCapabilities): it keeps them as every resource, and what it answers from
 * them stands with the operations of the CapabilityStatement. Nothing in it that does not work. `date`: that of the CapabilityStatement.
 */
export function terminologyCapabilities(fhirBase: string, date: string): Record<string, unknown> {
  return {
    resourceType: 'TerminologyCapabilities',
    status: 'active',
    date,
    kind: 'instance',
    software: { name: 'Gatehouse' },
    implementation: { description: 'Gatehouse', url: fhirBase },
  };
}
