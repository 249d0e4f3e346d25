/** What the launcher says to a server process whose place another has taken: unlike at an end, there is time, and nobody is to notice. */
export const RETIRE = 'retire';
