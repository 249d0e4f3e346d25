import { FIRST_USER, NOBODY } from './users.ts';

/** In a new process, when its sources are loaded and before foreign code is: from root, which could read them, to who can read nothing of ours. */
export function dropUser(): void {
  const id = userOf(process.argv[2]);
  if (id === undefined) return;
  process.setgroups!([]);
  process.setgid!(id);
  process.setuid!(id);
}

function userOf(kind: string | undefined): number | undefined {
  if (kind === 'own') return FIRST_USER + process.pid;
  return kind === 'nobody' ? NOBODY : undefined;
}
