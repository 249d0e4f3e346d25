import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import type { Listened } from '#lib/domain/hl7-feeds/listened.ts';
import { requireReady } from '#lib/domain/hl7-feeds/require-ready.ts';
import type { MessageRunner } from '#lib/domain/hl7-feeds/run-messages.ts';
import { type Taken, takeMessage } from '#lib/domain/hl7-feeds/take-messages.ts';
import type { Hl7Message } from '#lib/protocol/hl7/message.ts';
import { acknowledge, type Fault } from '#lib/protocol/hl7/mllp/acknowledge.ts';
import { type Answers, answersOf, isAskedFor } from '#lib/protocol/hl7/mllp/answers-of.ts';
import { readMessage } from '#lib/protocol/hl7/mllp/read-message.ts';

/** `repeated`: it was there. `nothing`: what could not even be read. */
export type Outcome = 'received' | 'repeated' | 'refused' | 'nothing';

const MOST_TOLD = 200;

/** Takes one message of a feed and sends what it asks for, in order: nothing that says it is safe before it is stored. */
export async function answerMessage(
  feed: Listened,
  bytes: Uint8Array,
  runner: MessageRunner,
  send: (text: string) => Promise<void>,
): Promise<Outcome> {
  const { message, text, fault } = readMessage(bytes);
  const asked: Answers = message ? answersOf(message) : { enhanced: false, accept: 'NE', application: 'AL' };
  if (fault || !message) {
    await refuse(message, asked, 'R', fault!, send);
    return message ? 'refused' : 'nothing';
  }
  // In enhanced mode whoever asks for the application's word waits for it, whatever the feed says.
  const waits = asked.enhanced ? asked.application !== 'NE' : feed.answer === 'bot';
  let taken: Taken;
  try {
    await requireReady(feed);
    taken = await takeMessage({ feed, message, text, again: waits });
  } catch (error) {
    // It may be kept all the same, where the answer of the database alone was lost.
    if (!(error instanceof AppError)) runner.wake(feed);
    await refuse(message, asked, 'E', { code: '207', text: laterText(error) }, send);
    return 'refused';
  }
  runner.wake(feed);
  if (asked.enhanced && isAskedFor(asked.accept, true)) await send(acknowledge(message, 'CA').toString());
  if (waits) await tellEnd(feed, message, asked, taken.id, runner, send);
  else if (!asked.enhanced) await send(acknowledge(message, 'AA').toString());
  return taken.isRepeat ? 'repeated' : 'received';
}

/** At the door: with the word of who keeps messages, if it gives one, else of who works on them. */
export async function refuse(
  message: Hl7Message | undefined,
  { enhanced, accept, application }: Answers,
  kind: 'E' | 'R',
  fault: Fault,
  send: (text: string) => Promise<void>,
): Promise<void> {
  const code = enhanced && isAskedFor(accept, false) ? (`C${kind}` as const) : (`A${kind}` as const);
  if (code.startsWith('C') || isAskedFor(application, false)) await send(acknowledge(message, code, fault).toString());
}

async function tellEnd(
  { projectId }: Listened,
  message: Hl7Message,
  { application }: Answers,
  id: string,
  runner: MessageRunner,
  send: (text: string) => Promise<void>,
): Promise<void> {
  const { state, answer, failure } = await runner.ended(projectId, id);
  const isGood = state === 'done';
  if (!isAskedFor(application, isGood)) return;
  // The bot's own word, whether it has done what it was sent or not.
  if (answer !== null) return send(answer);
  if (isGood) return send(acknowledge(message, 'AA').toString());
  const told = (failure ?? 'The bot failed').slice(0, MOST_TOLD);
  await send(acknowledge(message, 'AE', { code: '207', text: told }).toString());
}

function laterText(error: unknown): string {
  if (error instanceof AppError) return `${error.message}: send it again later`;
  log.warn({ err: error }, 'an HL7 v2 message could not be stored');
  return 'It could not be stored: send it again later';
}
