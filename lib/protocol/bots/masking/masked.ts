/** Stands for what identifies somebody. */
export const MASK = '•••';

/** What was taken out of something. */
export type Masked = { values: ReadonlySet<string> };
