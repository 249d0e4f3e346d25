import type { LoginRow } from '#lib/infra/db/schema/login.ts';

type Shown = Pick<LoginRow, 'authTime' | 'factorAt' | 'provenAt'>;

/** When the person last showed who they are at this login: with the sign-in, by its second factor, or again since. */
export function lastProof({ authTime, factorAt, provenAt }: Shown): Date {
  const latest = Math.max(authTime.getTime(), factorAt?.getTime() ?? 0, provenAt?.getTime() ?? 0);
  return new Date(latest);
}
