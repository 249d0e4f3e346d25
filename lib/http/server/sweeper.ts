import { eachAlone } from '#lib/base/each-alone.ts';
import { endRequests } from '#lib/domain/access-requests/end-requests.ts';
import { over as accessRequests } from '#lib/domain/access-requests/over.ts';
import { over as accessReviews } from '#lib/domain/access-reviews/over.ts';
import { remindReviewers } from '#lib/domain/access-reviews/remind-reviewers.ts';
import { over as accountChanges } from '#lib/domain/account-changes/over.ts';
import { over as accountMerges } from '#lib/domain/account-merge/over.ts';
import { over as accounts } from '#lib/domain/accounts/over.ts';
import { over as apiKeys } from '#lib/domain/api-keys/over.ts';
import { sealLost } from '#lib/domain/audit/seal-soon.ts';
import { sweepAudit } from '#lib/domain/audit/sweep-audit.ts';
import { signHeads } from '#lib/domain/audit-proof/sign-heads.ts';
import { over as consents } from '#lib/domain/authorize/over.ts';
import { over as botEvents } from '#lib/domain/bot-events/over.ts';
import { endOverGrants } from '#lib/domain/break-glass/end-over.ts';
import { over as breakGlass } from '#lib/domain/break-glass/over.ts';
import { over as bulkData } from '#lib/domain/bulk-data/over.ts';
import { over as bulkImport } from '#lib/domain/bulk-import/over.ts';
import { over as bulkJobs } from '#lib/domain/bulk-jobs/over.ts';
import { sweepBytes } from '#lib/domain/bytes/sweep-bytes.ts';
import { over as registrations } from '#lib/domain/client-registration/over.ts';
import { over as clientRequests } from '#lib/domain/client-requests/over.ts';
import { warnOfEnds } from '#lib/domain/clients/warn-of-ends.ts';
import { over as devices } from '#lib/domain/devices/over.ts';
import { over as factors } from '#lib/domain/factors/over.ts';
import { over as grants } from '#lib/domain/grants/over.ts';
import { over as groups } from '#lib/domain/groups/over.ts';
import { over as hl7Feeds } from '#lib/domain/hl7-feeds/over.ts';
import { over as idempotency } from '#lib/domain/idempotency/over.ts';
import { over as launches } from '#lib/domain/launches/over.ts';
import { over as limits } from '#lib/domain/limits/over.ts';
import { over as links } from '#lib/domain/links/over.ts';
import { recheckDomains } from '#lib/domain/mail-domains/recheck-domains.ts';
import { tellEndings } from '#lib/domain/people/tell-endings.ts';
import { removeProjects } from '#lib/domain/projects/remove-projects.ts';
import { over as recordErasures } from '#lib/domain/record-erasure/over.ts';
import { over as refusals } from '#lib/domain/refusals/over.ts';
import { over as runLog } from '#lib/domain/run-log/over.ts';
import { over as runs } from '#lib/domain/runs/over.ts';
import { over as scim } from '#lib/domain/scim/over.ts';
import { over as sessions } from '#lib/domain/sessions/over.ts';
import { over as signInLinks } from '#lib/domain/sign-in-links/over.ts';
import { rotateDueKey } from '#lib/domain/signing/rotate-signing-key.ts';
import { sweepSigningKeys } from '#lib/domain/signing/sweep-signing-keys.ts';
import { followMail } from '#lib/domain/standing/follow-mail.ts';
import { sweepStanding } from '#lib/domain/standing/sweep-standing.ts';
import { sweepHistory } from '#lib/domain/store/sweep-history.ts';
import { endForgotten } from '#lib/domain/subscriptions/end-forgotten.ts';
import { endOver } from '#lib/domain/subscriptions/end-over.ts';
import { over as views } from '#lib/domain/views/over.ts';
import { over as passkeys } from '#lib/domain/webauthn/over.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { sweep } from '#lib/infra/db/sweep.ts';
import { forgetUnsent } from '#lib/infra/mail/forget-unsent.ts';
import { over as mail } from '#lib/infra/mail/over.ts';

const EVERY_MS = 3_600_000;
/** A server that has just started has better things to do. */
const FIRST_MS = 60_000;

/** What the rooms say of their tables. */
const OVER = [
  accessRequests,
  accessReviews,
  accountChanges,
  accountMerges,
  accounts,
  apiKeys,
  botEvents,
  breakGlass,
  bulkData,
  bulkImport,
  bulkJobs,
  clientRequests,
  consents,
  devices,
  factors,
  grants,
  groups,
  hl7Feeds,
  idempotency,
  launches,
  limits,
  links,
  mail,
  passkeys,
  recordErasures,
  refusals,
  registrations,
  runs,
  runLog,
  scim,
  sessions,
  signInLinks,
  views,
];

const SWEEP = { requestId: 'sweep', remoteAddress: '', userAgent: '' };

let timers: NodeJS.Timeout[] = [];
let sweeping: Promise<void> | undefined;
let stopping = new AbortController();

/** Drops what is over, every hour. */
export function startSweeping(): void {
  stopping = new AbortController();
  timers = [setTimeout(sweepOnce, FIRST_MS).unref(), setInterval(sweepOnce, EVERY_MS).unref()];
}

/** Once, now; unless another instance is at it. */
export async function dropOver(): Promise<void> {
  const lease = await tryLease('sweep', 1);
  if (!lease) return;
  try {
    await inTurn([
      () => sweep(Object.assign({}, ...OVER.map((over) => over())), stopping.signal),
      () => sealLost(stopping.signal),
      () => sweepAudit(stopping.signal),
      () => removeProjects(SWEEP, stopping.signal),
      () => endForgotten(SWEEP, stopping.signal),
      () => endOver(SWEEP, stopping.signal),
      () => signHeads(stopping.signal),
      () => sweepHistory(stopping.signal),
      () => sweepBytes(stopping.signal),
      () => sweepSigningKeys(stopping.signal),
      () => forgetUnsent(followMail),
    ]);
  } finally {
    lease.release();
  }
}

/** What one room cannot do now is no reason for the others to wait. */
function inTurn(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  return eachAlone(works, stopping.signal, 'what is over could not be dropped', (work) => work());
}

export async function stopSweeping(): Promise<void> {
  for (const timer of timers) clearTimeout(timer);
  stopping.abort();
  await sweeping;
}

function sweepOnce(): void {
  sweeping ??= run().finally(() => {
    sweeping = undefined;
  });
}

function run(): Promise<void> {
  return inTurn([
    () => rotateDueKey(SWEEP),
    dropOver,
    () => sweepStanding(stopping.signal),
    () => warnOfEnds(SWEEP, stopping.signal),
    () => tellEndings(SWEEP, stopping.signal),
    () => remindReviewers(SWEEP, stopping.signal),
    () => endRequests(SWEEP, stopping.signal),
    () => endOverGrants(SWEEP, stopping.signal),
    () => recheckDomains(SWEEP, stopping.signal),
  ]);
}
