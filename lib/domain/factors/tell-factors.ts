import { env } from '#lib/base/env.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { AuditAction } from '#lib/protocol/answers/audit-action.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import type { Row } from '../store/row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { findFactors } from './find-factors.ts';

type Change = {
  /** The User, locked. */
  row: Row;
  action: AuditAction;
  methods: FactorMethod[];
  template: 'factor-added' | 'factor-removed' | 'factor-reset';
  /** As whom, where that is not the caller. */
  author?: string;
};

/** After a change of somebody's factors: the User shows what there is, the audit log has it, and the person hears of it by mail. */
export async function tellFactors(w: Write, { row, action, methods, template, author }: Change): Promise<void> {
  const { mfaEnrolled: _, mfaMethod: __, ...user } = toResource<User>(row);
  const now = await findFactors(w.tx, row.id);
  const next: User = { ...user, mfaEnrolled: now.length > 0, ...(now.length > 0 ? { mfaMethod: now } : {}) };
  await updateRow(w, row, next, author ?? w.actor?.profile ?? `User/${row.id}`);
  const { projectId } = row;
  w.audit({ projectId, action, target: `User/${row.id}`, after: { methods } });
  w.stands({ userId: row.id });
  if (!user.email) return;
  await queueMail(w.tx, {
    projectId,
    template,
    recipient: user.email,
    params: { url: `${env().BASE_URL}/resetpassword` },
  });
}
