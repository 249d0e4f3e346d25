import type { Project, ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';

export type Role = {
  /** Resource type of the profile. */
  profileType: string;
  admin: boolean;
  /** The patient of a RelatedPerson. */
  patient?: Reference;
};

export type Access = Pick<ProjectMembership, 'accessPolicy' | 'access'>;

/**
 * What a member gets when the inviter names no policy (contract §2.2). Only a Practitioner becomes an Admin in this sense: an
 * administrator's rights do not open other people's records to a patient. Empty when the project has no default: then everything is open.
 */
export function defaultAccess(project: Project, role: Role): Access {
  const policy = defaultPolicyOf(project, role);
  if (!policy) return {};
  if (role.profileType !== 'RelatedPerson' || !role.patient) return { accessPolicy: policy };
  return { access: [{ policy, parameter: [{ name: 'patient', valueReference: role.patient }] }] };
}

function defaultPolicyOf(project: Project, { profileType, admin }: Role): Reference | undefined {
  const wanted = admin && profileType === 'Practitioner' ? 'Admin' : profileType;
  const found = project.defaultAccessPolicies?.find((item) => item.profileType === wanted)?.accessPolicy;
  return found ?? (wanted === 'Patient' ? project.defaultPatientAccessPolicy : undefined);
}

/** The access after a change of role: whoever stood on the default of the old one moves to that of the new one. */
export function followRole(project: Project, before: ProjectMembership, after: ProjectMembership): Access {
  const { accessPolicy, access } = after;
  const profileType = after.profile.reference?.split('/')[0] ?? '';
  const [old, next] = [before, after].map((membership) => {
    return defaultPolicyOf(project, { profileType, admin: membership.admin === true });
  });
  const stoodOnDefault =
    !access?.length && accessPolicy?.reference !== undefined && accessPolicy.reference === old?.reference;
  const unchanged = before.accessPolicy?.reference === accessPolicy?.reference;
  if (stoodOnDefault && unchanged && next) return { accessPolicy: next };
  // An element that is undefined is not valid FHIR: what is not there is left out.
  return { ...(accessPolicy && { accessPolicy }), ...(access && { access }) };
}
