const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
/** What has stood for so long falls for another reason. */
const STOOD_MS = 60_000;

export type BackOff = {
  /** How long to wait before the next start of what stood for so long. */
  next(stoodMs: number): number;
};

/** 1 s, 2 s, 4 s, … */
export function createBackOff(): BackOff {
  let falls = 0;
  return {
    next(stoodMs) {
      if (stoodMs >= STOOD_MS) falls = 0;
      falls += 1;
      return Math.min(LONGEST_MS, FIRST_MS * 2 ** (falls - 1));
    },
  };
}
