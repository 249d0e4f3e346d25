import type { BotCode } from './load-bot.ts';

type Stored = { number: number; bundle: string; sourceMap: string | null };

/** A version as it runs. */
export function toBotCode({ number, bundle, sourceMap }: Stored): BotCode {
  return { number, bundle, sourceMap: sourceMap ?? undefined, wantsToken: bundle.includes('getAccessToken') };
}
