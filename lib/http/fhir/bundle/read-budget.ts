import { AppError } from '#lib/base/errors.ts';
import { MOST_ANSWERED, MOST_READING } from '#lib/protocol/fhir/bundle-limits.ts';

/** What the reads of one Bundle may still come to. */
export type ReadBudget = {
  /** Does the read, and takes what it took off. Throws 400 too-costly without it when nothing is left. */
  spend<R extends { body?: unknown }>(read: () => Promise<R>): Promise<R>;
  /** Characters that were answered besides. */
  answer(length: number): void;
};

/** `now` in milliseconds. */
export function newReadBudget(now = () => performance.now()): ReadBudget {
  let answered = 0;
  let took = 0;
  return {
    async spend(read) {
      if (answered > MOST_ANSWERED) throw tooCostly('The answer is too large already: ask for this by itself');
      if (took > MOST_READING) throw tooCostly('This Bundle has read for too long already: ask for this by itself');
      const start = now();
      try {
        const reply = await read();
        if (typeof reply.body === 'string') answered += reply.body.length;
        return reply;
      } finally {
        took += now() - start;
      }
    },
    answer: (length) => {
      answered += length;
    },
  };
}

function tooCostly(text: string): AppError {
  return new AppError('too-costly', text);
}
