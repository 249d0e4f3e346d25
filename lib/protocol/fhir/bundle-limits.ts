/** Of a batch or a transaction: what one request may ask for. Its bytes are bounded as those of every body (MAX_BODY_MIB). */
export const MOST_ENTRIES = 5000;
/** As refuseManyValues counts them: entries are judged in turns, so that a Bundle may have more than one resource. */
export const MOST_VALUES = 1_500_000;
/** Of an address or a condition, in characters: more than any search takes. */
export const MOST_URL = 64 * 1024;
/** Characters of an answer, about: it is put together in memory, as one text. What does not fit any more is asked for by itself. */
export const MOST_ANSWERED = 64 * 1024 * 1024;
/** Milliseconds that its reads may take together: as many requests would each wait for their turn. */
export const MOST_READING = 60_000;
