/** The sign-in page for one project, with the way back to the address now shown. Browser only. */
export function toSignInPath(projectId?: string, reason?: 'expired'): string {
  const { pathname, search } = window.location;
  const query = new URLSearchParams({ next: `${pathname}${search}` });
  if (projectId) query.set('project', projectId);
  if (reason) query.set('reason', reason);
  return `/signin?${query}`;
}
