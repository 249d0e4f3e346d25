import type { InviteInput } from './invite-input.ts';

/** The invite form as a person fills it: every field there, empty where nothing was said. References as "Type/id". */
export type InviteForm = {
  resourceType: 'Practitioner' | 'Patient' | 'RelatedPerson';
  firstName: string;
  lastName: string;
  email: string;
  externalId: string;
  patient: string;
  admin: boolean;
  policies: string[];
  sendEmail: boolean;
  returnLink: boolean;
  scope: '' | 'project' | 'server';
  password: string;
  profile: string;
  userName: string;
  userConfiguration: string;
  identifierSystem: string;
  identifierValue: string;
  inactive: boolean;
  mfaRequired: boolean;
  upsert: boolean;
  forceNewMembership: boolean;
};

export const EMPTY_INVITE: InviteForm = {
  resourceType: 'Practitioner',
  firstName: '',
  lastName: '',
  email: '',
  externalId: '',
  patient: '',
  admin: false,
  policies: [],
  sendEmail: true,
  returnLink: false,
  scope: '',
  password: '',
  profile: '',
  userName: '',
  userConfiguration: '',
  identifierSystem: '',
  identifierValue: '',
  inactive: false,
  mfaRequired: false,
  upsert: false,
  forceNewMembership: false,
};

/** The request that the form stands for: only what was said, so that it reads like something a person would write. */
export function toInviteInput(form: InviteForm): InviteInput {
  const membership = pruned({
    access: form.policies.length > 1 ? form.policies.map((policy) => ({ policy: { reference: policy } })) : undefined,
    profile: toReference(form.profile),
    userName: form.userName.trim(),
    userConfiguration: toReference(form.userConfiguration),
    identifier: form.identifierValue.trim()
      ? [pruned({ system: form.identifierSystem.trim(), value: form.identifierValue.trim() })]
      : undefined,
    active: form.inactive ? false : undefined,
  });
  return {
    resourceType: form.resourceType,
    firstName: form.firstName.trim(),
    lastName: form.lastName.trim(),
    ...pruned({
      email: form.email.trim(),
      externalId: form.externalId.trim(),
      patient: form.resourceType === 'RelatedPerson' ? toReference(form.patient) : undefined,
      admin: form.admin || undefined,
      accessPolicy: form.policies.length === 1 ? toReference(form.policies[0] ?? '') : undefined,
      membership: Object.keys(membership).length > 0 ? membership : undefined,
      scope: form.scope || undefined,
      sendEmail: form.sendEmail ? undefined : false,
      returnLink: form.returnLink && !form.sendEmail ? true : undefined,
      password: form.password,
      mfaRequired: form.mfaRequired || undefined,
      upsert: form.upsert || undefined,
      forceNewMembership: form.forceNewMembership || undefined,
    }),
  };
}

/** Where an issue of the API lands in the form, by its expression. */
export const INVITE_ALIASES: Record<string, keyof InviteForm> = {
  accessPolicy: 'policies',
  access: 'policies',
  'membership.accessPolicy': 'policies',
  'membership.access': 'policies',
  'membership.profile': 'profile',
  'membership.userName': 'userName',
  'membership.userConfiguration': 'userConfiguration',
  'membership.identifier': 'identifierValue',
  'membership.externalId': 'externalId',
  'patient.reference': 'patient',
};

function toReference(reference: string): { reference: string } | undefined {
  return reference.trim() ? { reference: reference.trim() } : undefined;
}

function pruned<T extends Record<string, unknown>>(fields: T): Partial<T> {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(said) as Partial<T>;
}
