import type { BotRunDetail } from './bot-runs.ts';

type Known = Pick<BotRunDetail, 'version' | 'input'>;

/** Of a run that was not begun, as that which a loop was cut at: its event is a dead letter. */
export function isNote({ version, input }: Known): boolean {
  return version === null && input === null;
}

/** Only what was kept as a whole is given to a bot again. */
export function isReplayable(run: Known): boolean {
  return run.input === null ? !isNote(run) : run.input.isKept && !run.input.isCut;
}
