import type { Project } from '#lib/protocol/fhir/types.ts';
import { isOpenToPatients, PATIENT_REGISTRATION } from '#lib/protocol/registration.ts';

type Registration = 'closed' | 'patients';

export function readRegistration(project: Project): Registration {
  return isOpenToPatients(project) ? 'patients' : 'closed';
}

/** The whole list of settings with this one; every other one stays as it is. */
export function toRegistration({ setting = [] }: Project, chosen: Registration): Project['setting'] {
  const others = setting.filter(({ name }) => name !== PATIENT_REGISTRATION);
  return chosen === 'closed' ? others : [...others, { name: PATIENT_REGISTRATION, valueBoolean: true }];
}

/** Without one everything would be open to them. */
export function hasPatientDefault({ defaultAccessPolicies = [], defaultPatientAccessPolicy }: Project): boolean {
  const own = defaultAccessPolicies.some(({ profileType }) => profileType === 'Patient');
  return own || defaultPatientAccessPolicy !== undefined;
}
