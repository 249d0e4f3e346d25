import { createHash } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { typeName } from '#lib/protocol/fhir/type-ids.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { type EndLine, type Manifest, PROJECT_FILE, type SmallLine } from '#lib/protocol/transfer/lines.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireAll } from '../access/has-all.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import {
  binaryPages,
  botSecretPages,
  botVersionPages,
  deploymentPages,
  draftPages,
  membershipPages,
  personPages,
  samplePages,
  secretPages,
} from './find-lines.ts';
import { requireStanding } from './require-standing.ts';
import { countVersions, versionPages } from './version-pages.ts';

const OFTEN = { limit: 10, windowSeconds: 3600, refusal: 'The project was exported ten times within the hour' };

/**
 * A whole project as lines of JSON (lib/protocol/transfer/lines.ts), piece by piece as it is read: every version of every resource, who its
 * members are, its bots' code and the bytes of its Binaries; no password, no secret and no token. For administrators whom no policy limits, with
 * a proof; that it was taken stands in the audit log first. Throws 403, and 429 past ten an hour.
 */
export async function exportProject(ctx: Ctx, projectId: string): Promise<AsyncGenerator<string>> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  requireAll(actor, 'exports it');
  await requireProof(actor);
  const row = requireLive(await findRow(projectId, 'Project', projectId));
  await throttle(`export:${projectId}`, OFTEN.limit, OFTEN);
  await write(ctx, async (w) => w.audit({ projectId, action: 'project.export', target: `Project/${projectId}` }));
  return linesOf(actor, toResource<Project>(row), projectId);
}

async function* linesOf(actor: Actor, project: Project, projectId: string): AsyncGenerator<string> {
  const asOf = new Date();
  const types = await countVersions(projectId, asOf);
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  const piece = (kind: string, lines: string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    hash.update(text);
    counts[kind] = (counts[kind] ?? 0) + lines.length;
    return text;
  };
  const manifest: Manifest = {
    kind: 'manifest',
    ...PROJECT_FILE,
    project: { id: projectId, name: project.name ?? '' },
    source: env().BASE_URL,
    asOf: asOf.toISOString(),
    versions: Object.fromEntries([...types].map(([type, n]) => [typeName(type), n])),
  };
  yield piece('manifest', [JSON.stringify(manifest)]);
  for (const find of [
    ...[personPages, membershipPages, secretPages, botSecretPages, deploymentPages, botVersionPages, draftPages],
    samplePages,
    binaryPages,
  ]) {
    for await (const lines of find(projectId) as AsyncGenerator<SmallLine[]>) {
      await requireStanding(actor);
      const [first] = lines;
      if (first)
        yield piece(
          first.kind,
          lines.map((line) => JSON.stringify(line)),
        );
    }
  }
  for (const type of types.keys()) {
    for await (const lines of versionPages(projectId, type, asOf)) {
      await requireStanding(actor);
      yield piece('version', lines);
    }
  }
  const lines = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const end: EndLine = { kind: 'end', lines, counts, sha256: hash.digest('hex') };
  yield `${JSON.stringify(end)}\n`;
}
