import { expect, test } from 'vitest';
import { sessionOptions } from './session-options.ts';

const CLAIMS = {
  loginId: 'login-1',
  profile: 'Practitioner/1',
  profileName: 'Ada Reyes',
  projectId: 'project-1',
  projectName: 'Clinic',
};
const TOKENS = { access_token: 'a', refresh_token: 'r', id_token: 'i' };

test('the cookie keeps the login and no token; the page reads neither', async () => {
  const { jwt, session } = sessionOptions().callbacks as Record<string, (input: object) => Promise<object>>;
  const kept = await jwt!({ token: {}, user: { id: 'login-1', ...CLAIMS, ...TOKENS } });
  expect(kept).toEqual(CLAIMS);
  const { loginId, ...told } = CLAIMS;
  expect(await session!({ session: { expires: 'then', user: {} }, token: { ...CLAIMS, ...TOKENS } })).toEqual({
    expires: 'then',
    ...told,
  });
});
