import { and, eq, gt } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { deviceRequest } from '#lib/infra/db/schema/grants.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { DeviceQuestion } from '#lib/protocol/answers/authorization.ts';
import type { DeviceDecision } from '#lib/protocol/requests/authorization.ts';
import { isResourceScope, splitScopes } from '#lib/protocol/smart-scopes.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { findAddress } from '../accounts/find-address.ts';
import { write } from '../audit/write.ts';
import { howLong } from '../authorize/how-long.ts';
import { findApp } from '../clients/find-app.ts';
import { networkOf } from '../limits/network-of.ts';
import { takeBack, throttle } from '../limits/throttle.ts';
import { SCOPES } from '../oauth/scopes.ts';
import { type Choice, findMemberships, keepWithin, toMemberships } from '../sign-in/find-memberships.ts';
import { findOwnLogin } from '../sign-in/find-own-login.ts';
import { wouldPass } from '../sign-in/gate.ts';
import { hashUserCode } from './user-code.ts';

/** Wrong codes in 15 minutes: of one person, and from one network. */
const OF_PERSON = 10;
const OF_NETWORK = 60;

type Found = typeof deviceRequest.$inferSelect;
type Asked = { found: Found; userId: string; login: LoginRow; choices: Choice[]; chosen: Choice | undefined };

/**
 * What a device asks of the person who types its code. Throws 400 naming `userCode` for one that is wrong, answered or over, 403 for who has not
 * signed in themselves, 429 after ten wrong ones of a person or 60 from a network.
 */
export async function describeDevice(ctx: Ctx, userCode: string): Promise<DeviceQuestion> {
  const { found, userId, choices, chosen } = await readAsked(ctx, userCode);
  const app = await findApp(found.clientId);
  if (!app) throw wrongCode();
  const { name = 'An app without a name', description } = app.resource;
  const scopes = splitScopes(found.scope).filter((scope) => isResourceScope(scope) || isMeant(scope));
  return {
    app: { name, ...(description && { description }) },
    scopes,
    lasts: await howLong({ app: app.resource, scopes }, found.projectId),
    person: (await findAddress(userId)) ?? '',
    memberships: toMemberships(choices),
    ...(chosen && { membership: chosen.id }),
    startedAt: found.createdAt.toISOString(),
  };
}

/** Nobody opens a device about a patient. */
function isMeant(scope: string): boolean {
  return scope !== 'launch' && SCOPES.includes(scope);
}

/** Their yes or no, once. Throws as above, and 400 naming `membership` for one that is not theirs. */
export async function decideDevice(ctx: Ctx, input: DeviceDecision): Promise<void> {
  const { found, userId, login, choices, chosen } = await readAsked(ctx, input.userCode);
  const isYes = input.decision === 'allow';
  const choice = input.membership ? choices.find(({ id }) => id === input.membership?.toLowerCase()) : chosen;
  if (isYes && !choice) throw new AppError('invalid', 'Choose one of your memberships', { expression: 'membership' });
  if (isYes && choice && !(await wouldPass(db(), login, { projectId: choice.projectId, membershipId: choice.id }))) {
    const text = 'This membership asks for another sign-in or a second factor: sign in to it, then type the code again';
    throw new AppError('forbidden', text, { expression: 'membership' });
  }
  await write(ctx, async (w) => {
    const answered = isYes
      ? ({
          state: 'allowed',
          userId,
          membershipId: choice?.id,
          authTime: login.authTime,
          authMethod: login.authMethod,
          factorAt: login.factorAt,
        } as const)
      : ({ state: 'denied' } as const);
    const [row] = await w.tx
      .update(deviceRequest)
      .set(answered)
      .where(whereOpen(found.userCodeHash))
      .returning({ projectId: deviceRequest.projectId });
    if (!row) throw wrongCode();
    const client = `ClientApplication/${found.clientId}`;
    const after = { client, decision: input.decision };
    w.audit({ projectId: found.projectId, action: 'login.device', target: `User/${userId}`, after });
  });
}

async function readAsked(ctx: Ctx, userCode: string): Promise<Asked> {
  const actor = requireActor(ctx);
  const login = await findOwnLogin(actor, { within: true });
  if (!login) throw new AppError('forbidden', 'Only somebody who has signed in themselves lets a device in');
  const found = await findByCode(ctx, actor.user, userCode);
  const userId = actor.user.slice('User/'.length);
  const choices = keepWithin(await findMemberships(userId, { projectId: found.projectId }), login);
  const open = choices.find(({ id }) => id === actor.membershipId);
  return { found, userId, login, choices, chosen: open ?? (choices.length === 1 ? choices[0] : undefined) };
}

/** Counted before it is looked at, so that guesses at once are not more guesses; the right one was none. */
async function findByCode(ctx: Ctx, user: string, userCode: string): Promise<Found> {
  const [ofPerson, ofNetwork] = [`device-code:${user}`, `device-code-from:${networkOf(ctx.remoteAddress)}`];
  await throttle(ofPerson, OF_PERSON);
  await throttle(ofNetwork, OF_NETWORK);
  const found = await findOpen(db(), hashUserCode(userCode));
  if (!found) throw wrongCode();
  await takeBack(ofPerson);
  await takeBack(ofNetwork);
  return found;
}

async function findOpen(q: Queryable, userCodeHash: string): Promise<Found | undefined> {
  const [row] = await q.select().from(deviceRequest).where(whereOpen(userCodeHash));
  return row;
}

function whereOpen(userCodeHash: string) {
  return and(
    eq(deviceRequest.userCodeHash, userCodeHash),
    eq(deviceRequest.state, 'waiting'),
    gt(deviceRequest.expiresAt, new Date()),
  );
}

function wrongCode(): AppError {
  return new AppError('invalid', 'This code is not right, or no longer valid', { expression: 'userCode' });
}
