/** Values of one sample that are expected, of what a bot gives and of each write. */
export const MOST_PATHS = 100;
