import { makeCounter } from './registry.ts';

const signIns = makeCounter(
  'gatehouse_sign_ins_total',
  'Passwords, passkeys, mailed links and client secrets that were shown, and what came of it. What was throttled was not looked at.',
  ['by', 'outcome'],
);

/** Passes on what `attempt` says: whether the secret was right, or a refusal. */
export async function countSignIn(
  by: 'password' | 'passkey' | 'link' | 'client-secret',
  attempt: Promise<boolean>,
): Promise<boolean> {
  try {
    const isRight = await attempt;
    signIns.inc({ by, outcome: isRight ? 'succeeded' : 'failed' });
    return isRight;
  } catch (error) {
    signIns.inc({ by, outcome: 'throttled' });
    throw error;
  }
}

const mails = makeCounter(
  'gatehouse_mails_total',
  'Mails that this process tried to send, and what came of each try.',
  ['outcome'],
);

export function countMail(outcome: 'sent' | 'failed' | 'given-up'): void {
  mails.inc({ outcome });
}

const runs = makeCounter('gatehouse_bot_runs_total', 'Runs of bots in this process, by how they ended.', ['outcome']);

export function countRun(outcome: string): void {
  runs.inc({ outcome });
}

const ended = makeCounter('gatehouse_sandbox_processes_ended_total', 'Processes for bots that ended, by why.', ['why']);

/** `killed`: by us, for what ran in it, or by the machine. */
export function countEndedProcess(why: 'worn' | 'killed' | 'crashed'): void {
  ended.inc({ why });
}

const notifications = makeCounter('gatehouse_notifications_total', 'Changes that went out over WebSockets.', []);

export function countNotification(): void {
  notifications.inc();
}
