import { env } from '#lib/base/env.ts';
import { SEALED as BOT_SECRETS } from '#lib/domain/bot-secrets/sealed.ts';
import { SEALED as BULK_IMPORT } from '#lib/domain/bulk-import/sealed.ts';
import { SEALED as BULK_JOBS } from '#lib/domain/bulk-jobs/sealed.ts';
import { SEALED as FACTORS } from '#lib/domain/factors/sealed.ts';
import { SEALED as IDEMPOTENCY } from '#lib/domain/idempotency/sealed.ts';
import { SEALED as PROJECTS } from '#lib/domain/projects/sealed.ts';
import { SEALED as PROVIDERS } from '#lib/domain/providers/sealed.ts';
import { SEALED as OAUTH } from '#lib/domain/signing/sealed.ts';
import { signingKeys } from '#lib/domain/signing/signing-keys.ts';
import { reseal } from '#lib/infra/db/reseal.ts';
import { SEALED as MAIL } from '#lib/infra/mail/sealed.ts';

/**
 * At start-up: throws when AUTH_SECRET is not the one of this data, before anybody is let in; and while earlier ones are given, seals anew
 * what they sealed.
 */
export async function openKeyring(): Promise<void> {
  await signingKeys();
  if (env().AUTH_SECRET_PREVIOUS.length === 0) return;
  await reseal({
    ...OAUTH,
    ...PROJECTS,
    ...BOT_SECRETS,
    ...IDEMPOTENCY,
    ...BULK_JOBS,
    ...BULK_IMPORT,
    ...FACTORS,
    ...PROVIDERS,
    ...MAIL,
  });
}
