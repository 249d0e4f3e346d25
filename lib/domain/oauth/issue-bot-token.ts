import { LRUCache } from 'lru-cache';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { writeOne } from '../audit/write.ts';
import { actorOfLogin } from '../sessions/actor-of-login.ts';
import { signTokens } from './sign-tokens.ts';

type Granted = { loginId: string; token: string; handedOutUntil: number };

/** Longer than any run, so that a token lasts as long as the run that has it; handed out to others only at first. */
const TOKEN_SECONDS = 20 * 60;
const HANDED_OUT_MS = 5 * 60 * 1000;
const SCOPE = 'openid';

/** By membership: a bot may run a thousand times a minute. */
const granted = new LRUCache<string, Granted>({ max: 5000 });

/**
 * An access token with the bot's own rights, for where it must be shown: its calls over the bridge need none. Its login ends as any other.
 * Undefined for a bot that runs as its caller: their rights are not for it to hand on.
 */
export async function issueBotToken(ctx: Ctx): Promise<string | undefined> {
  const actor = requireActor(ctx);
  if (!actor.user.startsWith('Bot/')) return undefined;
  const key = `${actor.projectId}/${actor.membershipId}`;
  const known = granted.get(key);
  if (known && known.handedOutUntil > Date.now() && (await lives(actor, known))) return known.token;
  const made = await grant(ctx, actor);
  granted.set(key, made);
  return made.token;
}

async function lives({ projectId }: Actor, { loginId }: Granted): Promise<boolean> {
  try {
    await actorOfLogin({ projectId, id: loginId }, { quiet: true });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return false;
    throw error;
  }
}

async function grant(ctx: Ctx, actor: Actor): Promise<Granted> {
  const { projectId, user, membershipId } = actor;
  const loginId = newId();
  const authTime = new Date();
  const params = [projectId, loginId, user, authTime.toISOString(), membershipId, SCOPE];
  await writeOne(
    { ...ctx, actor: { ...actor, loginId } },
    { parts: INSERTED, params },
    {
      projectId,
      action: 'bot.token',
      target: user,
    },
  );
  const { access_token: token } = await signTokens({
    actor,
    loginId,
    scope: SCOPE,
    authTime,
    accessSeconds: TOKEN_SECONDS,
  });
  return { loginId, token, handedOutUntil: authTime.getTime() + HANDED_OUT_MS };
}

const INSERTED = `
  l as (insert into login (project_id, id, user_ref, auth_method, auth_time, membership_id, scope, granted)
  values ($1, $2, $3, 'client', $4, $5, $6, true))`;
