export type BotCode = {
  number: number;
  bundle: string;
  sourceMap: string | undefined;
  /** It says `getAccessToken` somewhere. */
  wantsToken: boolean;
};
type Stored = { number: number; bundle: string; sourceMap: string | null };

/** A version as it runs. */
export function toBotCode({ number, bundle, sourceMap }: Stored): BotCode {
  return { number, bundle, sourceMap: sourceMap ?? undefined, wantsToken: bundle.includes('getAccessToken') };
}
