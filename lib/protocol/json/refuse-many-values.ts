import { AppError } from '#lib/base/errors.ts';
import { endOfString } from './scan.ts';

/** Clinical resources of any size have fewer: what a large body is large by is documents. */
export const MOST_VALUES = 250_000;
const COUNTED = /[",:]/g;
const QUOTE = 0x22;

/** Throws 400 for JSON of so many values that looking at each would hold up everybody else. One quick look, before it is parsed. */
export function refuseManyValues(text: string, most = MOST_VALUES): void {
  if (text.length <= most) return;
  let count = 0;
  COUNTED.lastIndex = 0;
  while (count <= most && COUNTED.test(text)) {
    const at = COUNTED.lastIndex - 1;
    if (text.charCodeAt(at) === QUOTE) COUNTED.lastIndex = endOfString(text, at);
    else count += 1;
  }
  if (count > most) throw new AppError('too-costly', `The body has more than ${most} values`);
}
