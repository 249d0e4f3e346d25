import type { AccessLength } from '#lib/protocol/answers/authorization.ts';

const UNITS = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** For how long an app is let in, in words. */
export function tellLength(length: AccessLength): string {
  if ('seconds' in length) return `This lasts ${toWords(length.seconds)}. Then it has to ask again.`;
  const { unusedSeconds, atMostSeconds } = length;
  const most = atMostSeconds === undefined ? '' : `, and ${toWords(atMostSeconds)} at most`;
  return `This lasts until you end it on your account page, or it is not used for ${toWords(unusedSeconds)}${most}.`;
}

/** "2 weeks", "90 minutes": in the largest unit of which it is a whole number. */
function toWords(seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= one && seconds % one === 0) ?? ['second', 1];
  const count = Math.round(seconds / size);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
