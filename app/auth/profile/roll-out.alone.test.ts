import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { createLogin } from '#lib/domain/sign-in/create-login.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { addProject, CTX, makeOwner, redeem } from '#lib/testing/people.ts';
import { asUpgraded } from '#lib/testing/set-up/as-upgraded.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

beforeAll(asUpgraded);

test('a sign-in that the release before has begun, which had it wait in no project or where it was limited to', async () => {
  const owner = await makeOwner();
  const second = await addProject(owner.userId, owner.email);
  const begin = async (projectId: string | null) => {
    const { login: id } = await createLogin(CTX, owner.userId, {
      codeChallenge: 'p'.repeat(43),
      codeChallengeMethod: 'plain',
    });
    await db().execute(sql`update login set project_id = ${projectId}, limited_to = null where id = ${id}`);
    return id;
  };
  const choose = (id: string, profile: string) => callAuth('POST', '/auth/profile', { body: { login: id, profile } });
  const limited = await begin(owner.projectId);
  const { status, body: refused } = await choose(limited, second.membershipId);
  expect([status, refused.issue[0].expression]).toEqual([400, ['profile']]);
  expect((await choose(limited, owner.membershipId)).status).toBe(200);
  const { body } = await choose(await begin(null), second.membershipId);
  const tokens = await redeem({ code: body.code, code_verifier: 'p'.repeat(43) });
  expect(tokens.body.project.reference).toBe(`Project/${second.projectId}`);
});
