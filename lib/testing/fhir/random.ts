/** Random numbers that are the same for the same seed (mulberry32): what fails can be made again. */
export type Random = {
  /** Less than `below`. */
  next(below: number): number;
  pick<T>(items: readonly T[]): T;
  /** True so often of one. */
  chance(share: number): boolean;
};

export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
  const next = (below: number): number => Math.floor(fraction() * below);
  return { next, pick: (items) => items[next(items.length)]!, chance: (share) => fraction() < share };
}
