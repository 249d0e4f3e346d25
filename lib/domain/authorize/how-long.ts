import type { AccessLength } from '#lib/protocol/answers/authorization.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { lifetimeSeconds } from '#lib/protocol/fhir/lifetime.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { readBounds, type SessionBounds } from '#lib/protocol/sign-in/bounds.ts';
import { ACCESS_SECONDS, REFRESH_SECONDS } from '../sessions/token-lifetimes.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

type Asked = {
  app: Pick<ClientApplication, 'accessTokenLifetime' | 'refreshTokenLifetime'>;
  scopes: readonly string[];
};

/**
 * For how long an app is let in by a yes (OWASP ASVS 10.7.2): one token's time, or with `offline` until it is not used, and no longer than the
 * project's sessions live. Without a project: what the app itself has.
 */
export async function howLong({ app, scopes }: Asked, projectId: string | undefined): Promise<AccessLength> {
  const { accessSeconds, refreshSeconds, idleSeconds, sessionSeconds } = await findBounds(projectId);
  const isRenewed = scopes.some((scope) => scope === 'offline' || scope === 'offline_access');
  const atMost = sessionSeconds === undefined ? {} : { atMostSeconds: sessionSeconds };
  if (!isRenewed)
    return {
      seconds: least(lifetimeSeconds(app.accessTokenLifetime) ?? ACCESS_SECONDS, accessSeconds, sessionSeconds),
    };
  const ofApp = lifetimeSeconds(app.refreshTokenLifetime) ?? REFRESH_SECONDS;
  return { unusedSeconds: least(ofApp, refreshSeconds, idleSeconds, sessionSeconds), ...atMost };
}

async function findBounds(projectId: string | undefined): Promise<SessionBounds> {
  const row = projectId === undefined ? undefined : await findRow(projectId, 'Project', projectId);
  return row ? readBounds(toResource<Project>(row).setting ?? []) : {};
}

function least(...seconds: (number | undefined)[]): number {
  return Math.min(...seconds.filter((one) => one !== undefined));
}
