import { expect, test } from 'vitest';
import { inviteRequest } from '#lib/protocol/requests/invite-member.ts';
import type { AccessRow } from '../access/access-rows.ts';
import { EMPTY_INVITE, toInviteField, toInviteInput } from './form.ts';

const ADA = { ...EMPTY_INVITE, firstName: ' Ada ', lastName: 'Okonkwo', email: 'ada@clinic.example' };

test('what was not said is not sent', () => {
  expect(toInviteInput(ADA)).toEqual({
    resourceType: 'Practitioner',
    firstName: 'Ada',
    lastName: 'Okonkwo',
    email: 'ada@clinic.example',
  });
});

test('who must set up a second factor is said', () => {
  expect(toInviteInput({ ...ADA, mfaRequired: true })).toMatchObject({ mfaRequired: true });
});

test('one policy is the access policy, several are access rows', () => {
  const one = { reference: 'AccessPolicy/a' };
  expect(toInviteInput({ ...ADA, policies: ['AccessPolicy/a'] })).toMatchObject({ accessPolicy: one });
  expect(toInviteInput({ ...ADA, policies: ['AccessPolicy/a', 'AccessPolicy/b'] })).toMatchObject({
    access: [{ policy: one }, { policy: { reference: 'AccessPolicy/b' } }],
  });
});

const WARD: AccessRow = {
  key: 'r',
  policy: 'AccessPolicy/ward',
  parameters: [{ key: 'p', name: 'ward', value: 'Location/b2' }],
};
const EMPTY: AccessRow = { key: 'e', policy: '', parameters: [] };

test('a policy with parameters is an access row after the plain ones', () => {
  const ward = {
    policy: { reference: 'AccessPolicy/ward' },
    parameter: [{ name: 'ward', valueReference: { reference: 'Location/b2' } }],
  };
  expect(toInviteInput({ ...ADA, accessRows: [EMPTY, WARD] })).toMatchObject({ access: [ward] });
  expect(toInviteInput({ ...ADA, policies: ['AccessPolicy/a'], accessRows: [WARD] })).toMatchObject({
    access: [{ policy: { reference: 'AccessPolicy/a' } }, ward],
  });
  expect(toInviteInput({ ...ADA, accessRows: [{ ...WARD, parameters: [] }] })).toMatchObject({
    accessPolicy: { reference: 'AccessPolicy/ward' },
  });
});

test('an issue of the API lands where its datum was typed', () => {
  const form = { ...ADA, policies: ['AccessPolicy/a'], accessRows: [EMPTY, WARD] };
  const fields = {
    email: 'email',
    'membership.profile.reference': 'profile',
    'membership.identifier[0].system': 'identifierSystem',
    'ProjectMembership.userName': 'userName',
    'access[0].policy': 'policies',
    'access[1].policy': 'accessRows.1.policy',
    'membership.access[1].parameter[0]': 'accessRows.1.parameters.0.value',
    'ProjectMembership.access[1].parameter[0].name': 'accessRows.1.parameters.0.name',
    'somewhere.else': undefined,
  };
  for (const [expression, field] of Object.entries(fields)) expect(toInviteField(expression, form)).toBe(field);
  expect(toInviteField('accessPolicy', { ...ADA, accessRows: [WARD] })).toBe('accessRows.0.policy');
});

test('a form with everything filled in is a request that the API understands', () => {
  const full = toInviteInput({
    ...ADA,
    resourceType: 'RelatedPerson',
    externalId: 'e1',
    patient: 'Patient/p',
    admin: true,
    sendEmail: false,
    returnLink: true,
    scope: 'project',
    password: 'copper lantern wades',
    profile: 'RelatedPerson/r',
    userName: 'ada',
    userConfiguration: 'UserConfiguration/u',
    identifierSystem: 'https://clinic.example/staff',
    identifierValue: '7',
    inactive: true,
    upsert: true,
    forceNewMembership: true,
    accessRows: [WARD],
  });
  expect(inviteRequest.safeParse(full).error).toBeUndefined();
});
