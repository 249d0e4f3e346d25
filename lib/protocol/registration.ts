import type { Project } from './fhir/types.ts';

/** Setting of a project in which patients register by themselves (contract §1.5, newuser and newpatient). Off unless it says so. */
export const PATIENT_REGISTRATION = 'patientRegistration';

export function isOpenToPatients({ setting = [] }: Pick<Project, 'setting'>): boolean {
  return setting.some(({ name, valueBoolean }) => name === PATIENT_REGISTRATION && valueBoolean === true);
}
