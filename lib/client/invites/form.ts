import type { Path } from 'react-hook-form';
import { type AccessRow, toAccessEntries } from '../access/access-rows.ts';
import type { InviteInput } from './input.ts';

/** The invite form as a person fills it: every field there, empty where nothing was said. References as "Type/id". */
export type InviteForm = {
  resourceType: 'Practitioner' | 'Patient' | 'RelatedPerson';
  firstName: string;
  lastName: string;
  email: string;
  externalId: string;
  patient: string;
  admin: boolean;
  mfaRequired: boolean;
  policies: string[];
  /** Policies with parameters. */
  accessRows: AccessRow[];
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
  mfaRequired: false,
  policies: [],
  accessRows: [],
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
  upsert: false,
  forceNewMembership: false,
};

/** The request that the form stands for: only what was said, so that it reads like something a person would write. */
export function toInviteInput(form: InviteForm): InviteInput {
  const plain = form.policies.map((policy) => ({ policy: { reference: policy } }));
  const access = [...plain, ...toAccessEntries(form.accessRows)];
  const [only] = access;
  const single = access.length === 1 && only && !('parameter' in only) ? only.policy : undefined;
  const membership = pruned({
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
      mfaRequired: form.mfaRequired || undefined,
      accessPolicy: toReference(single?.reference ?? ''),
      access: access.length > 0 && !single ? access : undefined,
      membership: Object.keys(membership).length > 0 ? membership : undefined,
      scope: form.scope || undefined,
      sendEmail: form.sendEmail ? undefined : false,
      returnLink: form.returnLink && !form.sendEmail ? true : undefined,
      password: form.password,
      upsert: form.upsert || undefined,
      forceNewMembership: form.forceNewMembership || undefined,
    }),
  };
}

const FIELDS: Record<string, Path<InviteForm>> = {
  accessPolicy: 'policies',
  access: 'policies',
  'identifier.system': 'identifierSystem',
  'identifier.value': 'identifierValue',
  identifier: 'identifierValue',
  active: 'inactive',
};

/** Where an issue of the API lands in the form, by its expression: "email", "membership.profile.reference", "access[1].parameter[0]". */
export function toInviteField(expression: string, form: InviteForm): Path<InviteForm> | undefined {
  const path = expression.replace(/^(ProjectMembership|membership)\./, '');
  const [, first, parameter, part] = /^access\[(\d+)\](?:\.parameter\[(\d+)\](?:\.(\w+))?)?/.exec(path) ?? [];
  if (first !== undefined) return toRowField(form, Number(first), parameter, part);
  if (path.startsWith('accessPolicy') && form.policies.length === 0) return toRowField(form, 0);
  const plain = path.replace(/\[\d+\]/g, '').replace(/\.reference$/, '');
  return FIELDS[plain] ?? (plain in EMPTY_INVITE ? (plain as keyof InviteForm) : undefined);
}

/** Entries are sent in the form's order: the plain policies, then the rows. */
function toRowField(form: InviteForm, entry: number, parameter?: string, part?: string): Path<InviteForm> {
  const sent = form.accessRows.filter(({ policy }) => policy !== '')[entry - form.policies.length];
  if (!sent) return 'policies';
  const row = form.accessRows.indexOf(sent);
  if (parameter === undefined) return `accessRows.${row}.policy`;
  return `accessRows.${row}.parameters.${Number(parameter)}.${part === 'name' ? 'name' : 'value'}`;
}

function toReference(reference: string): { reference: string } | undefined {
  return reference.trim() ? { reference: reference.trim() } : undefined;
}

function pruned<T extends Record<string, unknown>>(fields: T): Partial<T> {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(said) as Partial<T>;
}
