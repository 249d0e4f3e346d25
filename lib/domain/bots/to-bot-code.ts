import { hash } from 'node:crypto';

export type BotCode = {
  number: number;
  bundle: string;
  /** Of the bundle: a number may come again, where a project is removed and imported. */
  hash: string;
  sourceMap: string | undefined;
  /** It says `getAccessToken` somewhere. */
  wantsToken: boolean;
};
type Stored = { number: number; bundle: string; sourceMap: string | null };

/** A version as it runs. */
export function toBotCode({ number, bundle, sourceMap }: Stored): BotCode {
  const code = { number, bundle, hash: hash('sha256', bundle) };
  return { ...code, sourceMap: sourceMap ?? undefined, wantsToken: bundle.includes('getAccessToken') };
}
