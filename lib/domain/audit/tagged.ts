import { GLASS_TAG } from '#lib/protocol/audit/break-glass.ts';

/** What is kept with a row of the log, with the grant of emergency access under which it was done. */
export function tagged<T>(grant: string | undefined, after?: T): T | object | undefined {
  if (grant === undefined || Array.isArray(after)) return after;
  return { ...(after as object | undefined), [GLASS_TAG]: grant };
}
