/**
 * Built-ins as they were before the bot: what it replaces later does not change what the prelude does. That is for clear errors and honest
 * bots; what a bot can reach is held by its process (runner/host.ts), which trusts nothing from here.
 */
export const { defineProperty } = Object;
const { apply } = Reflect;
const { slice } = String.prototype;

export const { parse, stringify } = JSON;
export const { isFinite: isFiniteNumber } = Number;
export const toText = String;
export const Moment = Date;
export const NewPromise = Promise;
/** Indirect: what it is given sees the global scope only. */
// biome-ignore lint/security/noGlobalEval: of our own text alone (client/load-core.ts)
export const evaluate: (script: string) => unknown = eval;

/** The first characters of a text. */
export function head(text: string, length: number): string {
  return apply(slice, text, [0, length]);
}
