import { expect } from 'vitest';
import { SCIM_ERROR, USER_SCHEMA } from '#lib/protocol/scim/urns.ts';
import { type Answer, type Call, callApi } from './call-api.ts';
import { anEmail } from './world.ts';

/** As a directory calls: by its token, in SCIM's own media type. */
export function makeDirectory(authorization: string) {
  return (method: string, path: string, body?: unknown, headers: Call['headers'] = {}): Promise<Answer> =>
    callApi(authorization, method, `/scim/v2${path}`, {
      body,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }), ...headers },
    });
}

/** As Okta sends somebody new; changed by `fields`. */
export function aUser(fields: Record<string, unknown> = {}): Record<string, unknown> {
  const email = anEmail();
  return {
    schemas: [USER_SCHEMA],
    userName: email,
    name: { givenName: 'Nora', familyName: 'Field' },
    emails: [{ primary: true, value: email, type: 'work' }],
    displayName: 'Nora Field',
    locale: 'en-US',
    externalId: `00u${email.slice(0, 12)}`,
    groups: [],
    password: '1mz050nq',
    active: true,
    ...fields,
  };
}

export function patchOp(...operations: Record<string, unknown>[]): Record<string, unknown> {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations };
}

export function expectScimError(answer: Answer, status: number, scimType?: string): void {
  expect({ status: answer.status, text: answer.text, ...answer.body }).toMatchObject({
    status: String(status),
    schemas: [SCIM_ERROR],
    detail: expect.stringMatching(/./),
  });
  expect(answer.headers.get('content-type')).toBe('application/scim+json; charset=utf-8');
  expect([answer.status, answer.body.scimType, answer.body.detail]).toEqual([status, scimType, answer.body.detail]);
}
