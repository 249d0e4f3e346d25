import { expect, test } from 'vitest';
import { inviteRequest } from '#lib/protocol/requests/invite-member.ts';
import { EMPTY_INVITE, toInviteInput } from './invite-form.ts';

const ADA = { ...EMPTY_INVITE, firstName: ' Ada ', lastName: 'Okonkwo', email: 'ada@clinic.example' };

test('what was not said is not sent', () => {
  expect(toInviteInput(ADA)).toEqual({
    resourceType: 'Practitioner',
    firstName: 'Ada',
    lastName: 'Okonkwo',
    email: 'ada@clinic.example',
  });
});

test('one policy is the access policy, several are access rows', () => {
  const one = { reference: 'AccessPolicy/a' };
  expect(toInviteInput({ ...ADA, policies: ['AccessPolicy/a'] })).toMatchObject({ accessPolicy: one });
  expect(toInviteInput({ ...ADA, policies: ['AccessPolicy/a', 'AccessPolicy/b'] })).toMatchObject({
    membership: { access: [{ policy: one }, { policy: { reference: 'AccessPolicy/b' } }] },
  });
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
    mfaRequired: true,
    upsert: true,
    forceNewMembership: true,
  });
  expect(inviteRequest.safeParse(full).error).toBeUndefined();
});
