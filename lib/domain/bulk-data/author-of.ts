import { AppError, notFound } from '#lib/base/errors.ts';
import type { BulkExportRow } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { scopesBeyond } from '#lib/protocol/clients/bounds.ts';
import { clientTag } from '../access/cache-tags.ts';
import type { Actor } from '../access/context.ts';
import { liveClient } from '../clients/live-client.ts';
import { loadActor } from '../sessions/load-actor.ts';
import { narrowActor } from '../sessions/narrow-actor.ts';
import { cachedActor, type LoadedActor } from '../sessions/session-cache.ts';

type Author = Pick<BulkExportRow, 'projectId' | 'membershipId' | 'clientId' | 'scope' | 'patient'>;

/** What tells later, without a login, with which rights somebody asked. */
export function toAuthor(actor: Actor): Author {
  const { projectId, membershipId, scope } = actor;
  const clientId = actor.client ? (actor.clientId ?? null) : null;
  return { projectId, membershipId, clientId, scope, patient: actor.patient ?? null };
}

/** Who asked for an export or an import, with what they may do at this moment. Throws 404 when they are no member any more, or their client is gone. */
export async function authorOf({ projectId, membershipId, clientId, scope, patient }: Author): Promise<Actor> {
  try {
    const actor = await cachedActor(JSON.stringify(['bulk', membershipId, clientId, patient, scope]), async () => {
      const launch = patient ? { launch: { ...LAUNCHED, patient: patient.slice('Patient/'.length) } } : {};
      const loaded = await loadActor({ projectId, membershipId, clientId: clientId ?? undefined, scope, ...launch });
      if (scopesBeyond(loaded.value.client?.scopes, scope).length > 0) throw notFound();
      const tags: LoadedActor['tags'] = [...loaded.tags, ...(clientId ? [clientTag(clientId)] : [])];
      return { value: narrowActor(loaded.value), tags };
    });
    const [type, id = ''] = actor.user.split('/');
    if (type === 'ClientApplication' && !(await liveClient(id))) throw notFound();
    return actor;
  } catch (error) {
    if (error instanceof AppError && GONE.has(error.code)) throw notFound();
    throw error;
  }
}

const LAUNCHED = { by: 'person', needPatientBanner: false } as const;
/** As whoever has no rights any more is refused; `invalid` where a policy of theirs is gone. */
const GONE = new Set(['unauthorized', 'forbidden', 'not-found', 'invalid']);
