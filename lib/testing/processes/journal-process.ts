import { openJournal } from '#lib/infra/journal/journal.ts';

/** A process that is killed when it has kept these lines for this database, and needs so many of them no more. */
const [, , database, released = '0', ...lines] = process.argv;
const journal = openJournal(database);
const kept = lines.map((line) => journal.keep(line));
for (const release of kept.slice(0, Number(released))) release?.();
process.kill(process.pid, 'SIGKILL');
