/** What the run of one that was stopped says: to its caller, and on record. */
export const STOPPED = 'An administrator stopped this run';
