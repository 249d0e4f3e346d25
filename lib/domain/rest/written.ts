import type { Made } from './type-rule.ts';

/** What a write came to. */
export type Written = Made & {
  /** It is new, or back from deletion (201). */
  created: boolean;
  /** False: everything was so already, and nothing was stored. */
  changed: boolean;
};
