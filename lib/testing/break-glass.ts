import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { type Answer, callApi } from './call-api.ts';
import { db } from './set-up/own-db.ts';
import { createWorld, signIn, type World } from './world.ts';

export const MINE = '/auth/me/break-glass';
export const WHY = { reason: 'Unconscious in the emergency room' };

/** Who holds the policy that may break the glass, and is signed in. */
export type Nurse = { id: string; user: string; profile: string; bearer: string };

/** A project where the ward breaks the glass, by `breakGlassFor`, and has `emergency` then. */
export type GlassWorld = World & { ward: string; emergency: string };

export async function makePolicy(of: World, name: string, resource: object[], more: object = {}): Promise<string> {
  const body = { resourceType: 'AccessPolicy', name, resource, ...more };
  const made = await callApi(of.owner.bearer, 'POST', '/fhir/R4/AccessPolicy', { body });
  expect(made.status, made.text).toBe(201);
  return `AccessPolicy/${made.body.id}`;
}

export const toSettings = (policy: string, holders: string, minutes?: number) => [
  { name: 'breakGlassPolicy', valueString: policy },
  { name: 'breakGlassFor', valueString: holders },
  ...(minutes === undefined ? [] : [{ name: 'breakGlassMinutes', valueInteger: minutes }]),
];

export async function makeGlassWorld(
  rules: object[] = [{ resourceType: 'Patient' }],
  minutes?: number,
): Promise<GlassWorld> {
  const world = await createWorld();
  const ward = await makePolicy(world, 'Ward', [{ resourceType: 'Observation' }]);
  const emergency = await makePolicy(world, 'Emergency', rules);
  const set = await world.call('POST', '/settings', { body: toSettings(emergency, ward, minutes) });
  expect(set.status, set.text).toBe(200);
  return { ...world, ward, emergency };
}

export async function nurse(of: GlassWorld, fields: object = {}): Promise<Nurse> {
  const { id, user, profile } = await of.invite({ accessPolicy: { reference: of.ward }, ...fields });
  const bearer = await signIn(of.projectId, id, user.reference);
  return { id, user: user.reference, profile: profile.reference, bearer };
}

export async function administrator(of: World, fields: object = {}): Promise<Nurse> {
  const { id, user, profile } = await of.invite({ membership: { admin: true, ...fields } });
  const bearer = await signIn(of.projectId, id, user.reference);
  return { id, user: user.reference, profile: profile.reference, bearer };
}

export const smash = (who: { bearer: string }, body: object = WHY): Promise<Answer> =>
  callApi(who.bearer, 'POST', MINE, { body });

export async function opened(who: { bearer: string }): Promise<string> {
  const made = await smash(who);
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

export const readPatients = (bearer: string, headers = {}) =>
  callApi(bearer, 'GET', '/fhir/R4/Patient', { headers }).then(({ status }) => status);

/** As if it had been opened so many minutes earlier: its row, and what the entry of the membership says. */
export async function overdue(grantId: string): Promise<void> {
  const at = new Date(Date.now() - 1000);
  await db().update(breakGlass).set({ endsAt: at }).where(eq(breakGlass.id, grantId));
}

/** Everybody of the project has signed in longer ago than a proof is good for. */
export async function age(of: World): Promise<void> {
  const at = new Date(Date.now() - 11 * 60_000);
  await db()
    .update(login)
    .set({ authTime: at, factorAt: null, provenAt: null })
    .where(eq(login.projectId, of.projectId));
}

export async function mailsOf(of: World): Promise<{ template: string; recipient: string }[]> {
  const rows = await db().select().from(mail).where(eq(mail.projectId, of.projectId));
  return rows.filter(({ template }) => template.startsWith('glass-'));
}
