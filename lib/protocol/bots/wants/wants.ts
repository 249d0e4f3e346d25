import type { Interaction } from './methods.ts';

/**
 * Something that the code of a bot asks for: of a type, of a host, of a secret, or of one of the client's other calls that reach further
 * (mail, other bots, a token).
 */
export type Want =
  | { kind: 'resource'; type: string; interaction: Interaction }
  | { kind: 'host'; name: string }
  | { kind: 'secret'; name: string }
  | { kind: 'call'; name: string };

/** What is not told by the text alone: a call whose type, host or name is made while it runs. */
export type Unclear = { call: string; line: number };

/** What a source says that it wants, in one order. `unclear`: at most twenty. */
export type SourceWants = { wants: Want[]; unclear: Unclear[] };

/** Why a want would be refused today: the policy of the bot's membership, its list of hosts, or no secret of this name. */
export type Refused = Want & { because: 'policy' | 'host' | 'secret' };

/**
 * What code wants besides what is live, and no more. `refused`: whatever of it would be refused today, new or not. It is a reading of the
 * source: it keeps nobody from anything.
 */
export type WantsChange = { added: Want[]; removed: Want[]; refused: Refused[]; unclear: Unclear[] };

/** The same for the same want. */
export function keyOf(want: Want): string {
  return want.kind === 'resource' ? `resource ${want.type} ${want.interaction}` : `${want.kind} ${want.name}`;
}
