import { setTimeout as pause } from 'node:timers/promises';
import type { Program } from './programs.ts';
import type { Answer, Ask, Ended, Side } from './sides.ts';

const PASSWORD = 'measured-twice-cut-once';
const VERIFIER = 'p'.repeat(43);
const PROOF = { codeChallenge: VERIFIER, codeChallengeMethod: 'plain' };
const BETWEEN_MS = 500;
/** Of so many rounds one signs somebody up: 60 in 15 minutes may, from one network. */
const SIGN_UP_EVERY = 10;

/**
 * What people do, each step of it now `here` and now `there`; for as long as `goesOn`. `second`: another project, that
 * invites the same people, whose address `prove` proves.
 */
export async function peopleCome(
  ask: Ask,
  sides: [Side, Side],
  [first, second]: [Program, Program],
  prove: (email: string) => Promise<unknown>,
  ended: Ended,
  goesOn: () => boolean,
): Promise<void> {
  for (let round = 0; goesOn(); round++) {
    const [here, there] = round % 2 === 0 ? sides : [sides[1], sides[0]];
    if (round % SIGN_UP_EVERY < 2) await signUp(round, here, there);
    const email = `member-${round}@upgrade.example`;
    const id = await invite('Invite with a password', first, here, email, { password: PASSWORD, scope: 'server' });
    if (!id) continue;
    const code = (await signIn(there, email))?.body.code;
    const token = await redeem(here, there, code);
    await invite('Invite to a second project', second, here, email);
    await prove(email);
    await choose(here, there, email);
    await choose(there, here, email);
    await ask('Remove a member', here, 'DELETE', `admin/projects/${first.projectId}/members/${id}`, {
      token: first.tokens[0],
    });
    if (token) await ask('With a token that ended', there, 'GET', 'auth/me', { token, ...ended });
    await pause(BETWEEN_MS);
  }

  async function signUp(round: number, here: Side, there: Side) {
    const person = {
      firstName: 'Ursa',
      lastName: 'Upton',
      email: `owner-${round}@upgrade.example`,
      password: PASSWORD,
    };
    const begun = await ask('Sign up', here, 'POST', 'auth/newuser', {
      body: { ...person, projectId: 'new', ...PROOF },
    });
    const body = { login: begun?.body.login, projectName: `Of round ${round}` };
    const made = await ask('… make a project', onward(here, there), 'POST', 'auth/newproject', { body });
    await redeem(there, here, made?.body.code);
  }

  async function invite(operation: string, { projectId, tokens }: Program, side: Side, email: string, more = {}) {
    const body = { resourceType: 'Practitioner', firstName: 'Mia', lastName: 'Moor', email, sendEmail: false, ...more };
    const made = await ask(operation, side, 'POST', `admin/projects/${projectId}/invite`, { body, token: tokens[0] });
    return made?.body.id as string | undefined;
  }

  function signIn(side: Side, email: string, expect?: (body: Answer['body']) => boolean) {
    const body = { email, password: PASSWORD, scope: 'openid offline', ...PROOF };
    return ask('Sign in', side, 'POST', 'auth/login', { body, expect });
  }

  /** The code for tokens, those for newer ones; what is signed out there is out here. */
  async function redeem(here: Side, there: Side, code: string | undefined): Promise<string | undefined> {
    if (!code) return undefined;
    const form = { grant_type: 'authorization_code', code, code_verifier: VERIFIER };
    const granted = await ask('Code for a token', here, 'POST', 'oauth2/token', { form });
    const token: string | undefined = granted?.body.access_token;
    if (!token) return undefined;
    await ask('Who am I', there, 'GET', 'auth/me', { token });
    await ask('Who am I', here, 'GET', 'auth/me', { token });
    if (!granted?.body.refresh_token) return token;
    const again = { grant_type: 'refresh_token', refresh_token: granted.body.refresh_token };
    const renewed = await ask('Renew a token', there, 'POST', 'oauth2/token', { form: again });
    await ask('Who am I', here, 'GET', 'auth/me', { token: renewed?.body.access_token });
    return renewed?.body.access_token;
  }

  async function choose(here: Side, there: Side, email: string) {
    const begun = await signIn(here, email, ({ memberships }) => memberships?.length === 2);
    const profile = begun?.body.memberships?.at(-1)?.id;
    if (!profile) return;
    const body = { login: begun.body.login, profile };
    const chosen = await ask('Choose a membership', onward(here, there), 'POST', 'auth/profile', { body });
    const token = await redeem(there, here, chosen?.body.code);
    if (!token) return;
    await ask('Sign out', there, 'POST', 'oauth2/logout', { token });
    await ask('With a token that ended', here, 'GET', 'auth/me', { token, ...ended });
  }
}

/**
 * Who goes on with a sign-in that waits for its membership. What this version has begun, 0106426 takes for one that is limited to a project:
 * until it is gone such a sign-in is to stay where it is.
 */
function onward(here: Side, there: Side): Side {
  return here.version === 'old' && Math.random() < 0.5 ? there : here;
}
