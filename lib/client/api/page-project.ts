import type { ApiError } from './api-error.ts';

const HEADER = 'X-Gatehouse-Project';

/** Says for which project this page asks. One cookie serves every tab: another tab may have opened another project with it. */
export function ofPageProject(): Record<string, string> {
  const [, project] = /^\/p\/([^/]+)/.exec(globalThis.location?.pathname ?? '') ?? [];
  return project ? { [HEADER]: project } : {};
}

let left = false;

/** The server refused because the session is now for another project: loads the page anew, which says so and leads to both. */
export function leaveOtherProject({ status, issues }: ApiError): void {
  if (left || status !== 409 || issues[0]?.expression !== `http.${HEADER}`) return;
  left = true;
  globalThis.location?.reload();
}
