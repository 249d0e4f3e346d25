import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { tellWays, type Way } from '#lib/protocol/sign-in/ways.ts';

const WAY_OF: Record<LoginRow['authMethod'], Way | undefined> = {
  client: undefined,
  exchange: 'provider',
  external: 'provider',
  link: 'link',
  passkey: 'passkey',
  password: 'password',
};

/** Whether a project that allows these ways lets in who signed in like this. A program has its own. */
export function isWay(authMethod: LoginRow['authMethod'], ways: readonly Way[]): boolean {
  const way = WAY_OF[authMethod];
  return way === undefined || ways.includes(way);
}

/** For who has shown who they are, but not as the project wants it: says how. */
export function wayRefused(ways: readonly Way[]): AppError {
  const text = `This project does not let you in like this. Sign in with ${tellWays(ways)}`;
  return new AppError('invalid', text, { oauth: 'invalid_grant' });
}
