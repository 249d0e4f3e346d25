import { followMail } from '#lib/domain/standing/follow-mail.ts';
import { startMailWorker } from '#lib/infra/mail/start-mail-worker.ts';

/** Sends mail as a server does, if it is its turn, until its parent ends it. */
await startMailWorker(followMail);
process.send?.('ready');
process.once('disconnect', () => process.exit(0));
