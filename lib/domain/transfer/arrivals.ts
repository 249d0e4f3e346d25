import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { isUnstorable, uniqueViolation } from '#lib/infra/db/errors.ts';
import type { ProjectMembership, Resource, User } from '#lib/protocol/fhir/types.ts';
import type { FileLine, VersionLine } from '#lib/protocol/transfer/parse-line.ts';
import type { Write } from '../access/context.ts';
import { findTakenUsers, placeAccounts } from '../accounts/place-accounts.ts';
import { placeSamples } from '../bot-samples/place-samples.ts';
import { keepDraftFiles, toFilesText } from '../bots/draft/draft-rows.ts';
import { placeCode, placeDeployments } from '../bots/place-code.ts';
import { createPlacer } from '../bytes/place-bytes.ts';
import { placeSecrets } from '../clients/place-secrets.ts';
import { type AskedAnew, fillKeys, findElsewhere, placeKeys } from '../memberships/arrival/place-keys.ts';
import { byWhom } from '../store/by-whom.ts';
import { type PlacedRow, type PlacedVersion, placeRows, placeVersions } from '../store/place-versions.ts';
import { requireValid } from '../store/require-valid.ts';
import { toColumns } from '../store/row.ts';
import { asArrived } from './as-arrived.ts';
import { requireCurrent, requireVersion } from './require-version.ts';

type SmallLine = Exclude<FileLine, { kind: 'manifest' | 'end' | 'version' | 'secret-name' | 'bot-secret-name' }>;
type Of<K extends SmallLine['kind']> = Extract<SmallLine, { kind: K }>;
type Live = { id: string; resource: Resource & { id: string } };

/** Of one statement: so many lines, of so many characters. */
const MOST_LINES = 200;
const MOST_TEXT = 1024 * 1024;
/** What its bots and documents are made of has no more bytes than a resource may have, in some pieces. */
const MOST_PIECE = 2 * 1024 * 1024;

export type Counts = {
  versions: number;
  people: number;
  clients: number;
  clientsOff: string[];
  subscriptionsOff: number;
};

/** Takes the lines of a project's file into its tables, some at a time, in one transaction. */
export function createArrivals(w: Write, projectId: string, asked: AskedAnew) {
  const counts: Counts = { versions: 0, people: 0, clients: 0, clientsOff: [], subscriptionsOff: 0 };
  const renamed = new Map<string, string>();
  const types = new Set<string>();
  const placer = createPlacer(w.tx, projectId);
  let small: SmallLine[] = [];
  let versions: PlacedVersion[] = [];
  let rows: PlacedRow[] = [];
  let text = 0;
  /** The newest version so far of the resource that comes just now. */
  let last: VersionLine | undefined;
  /** Until the end: whoever acts in a project needs it to be there. */
  let project: PlacedRow | undefined;

  return { counts, take, end, giveUp: placer.giveUp, heldProject: () => project };

  async function take(line: SmallLine | VersionLine, size: number): Promise<void> {
    if (line.kind === 'version') await takeVersion(line);
    else {
      if (small[0] && small[0].kind !== line.kind) await flushSmall();
      if (line.kind === 'binary' && line.data.length > MOST_PIECE)
        throw new AppError('invalid', 'A piece of a Binary is shorter', { expression: 'data' });
      small.push(line);
    }
    text += size;
    if (text > MOST_TEXT || small.length + versions.length >= MOST_LINES) await flush();
  }

  async function takeVersion(line: VersionLine): Promise<void> {
    requireVersion(line, projectId);
    const isNext = last?.type === line.type && last.id === line.id;
    if (last && !isNext) await arrive(last);
    requireOrder(line);
    last = line;
    types.add(line.type);
    counts.versions += 1;
    versions.push(toVersion(line));
  }

  /** As it was exported; so nothing comes twice. */
  function requireOrder({ type, id, version, lastUpdated }: VersionLine): void {
    if (last?.type !== type) {
      if (types.has(type)) throw new AppError('invalid', `All of type ${type} stand together`, { expression: 'type' });
      return;
    }
    const isAfter = id > last.id || (id === last.id && version > last.version);
    if (!isAfter) throw new AppError('invalid', 'It stands twice, or not in its order', { expression: 'version' });
    if (id === last.id && lastUpdated <= last.lastUpdated)
      throw new AppError('invalid', 'It is older than the version before it', { expression: 'lastUpdated' });
  }

  /** The last version of a resource is what it is now, but for what is not so here. */
  async function arrive(line: VersionLine): Promise<void> {
    const { type, id, meta, content } = line;
    const resource = content && { resourceType: type, id, ...(meta && { meta }), ...content };
    if (resource) requireCurrent(resource);
    const changed = resource && asArrived(resource, renamed);
    const version = changed ? { ...toVersion(line), ...settled(line, changed) } : toVersion(line);
    if (changed) versions.push(version);
    const now = changed ?? resource ?? undefined;
    const row = { ...version, resource: now };
    if (type === 'Project') project = row;
    else rows.push(row);
    if (type === 'Bot') w.invalidate(`bot:${id}`);
    if (changed && type === 'ClientApplication') counts.clientsOff.push(id);
    if (changed && type === 'Subscription') counts.subscriptionsOff += 1;
  }

  function settled({ version }: VersionLine, changed: Resource): Partial<PlacedVersion> {
    const author = byWhom(w, w.actor?.profile);
    const lastUpdated = new Date().toISOString();
    return { ...toColumns(changed), version: version + 1, op: 'update', lastUpdated, author };
  }

  async function flush(): Promise<void> {
    await flushSmall();
    const [placed, current] = [versions, rows];
    [versions, rows, text] = [[], [], 0];
    await explained(async () => {
      await placeVersions(w.tx, projectId, placed);
      await placeRows(w.tx, projectId, current);
      await placeIdentities(current);
    });
  }

  async function placeIdentities(current: readonly PlacedRow[]): Promise<void> {
    const of = (type: string) => current.filter((row) => row.type === type);
    const users = of('User');
    const taken =
      users.length > 0
        ? [
            ...(await findTakenUsers(
              w.tx,
              users.map(({ id }) => id),
            )),
          ]
        : [];
    if (taken[0]) throw new AppError('conflict', `This server has an account with the id ${taken[0]}`);
    const accounts = users.map(({ id, resource }) => ({ id, email: (resource as User | undefined)?.email }));
    await placeAccounts(w.tx, projectId, accounts);
    counts.people += users.filter(({ resource }) => resource).length;
    const clients = of('ClientApplication').filter(({ resource }) => resource);
    await placeSecrets(
      w.tx,
      projectId,
      clients.map(({ id }) => id),
    );
    counts.clients += clients.length;
    await fill(of('ProjectMembership').flatMap(({ id, resource }) => (resource ? [{ id, resource } as Live] : [])));
  }

  async function fill(live: readonly Live[]): Promise<void> {
    const filled = live.map(({ id, resource }) => ({ id, of: resource as unknown as ProjectMembership }));
    const found = await fillKeys(w.tx, projectId, filled, asked);
    const lost = live.find(({ id }) => !found.has(id));
    if (!lost) return;
    const reason = 'has no line that says whose it is: the file was made while members changed, so export it again';
    throw new AppError('invalid', `ProjectMembership/${lost.id} ${reason}`);
  }

  async function flushSmall(): Promise<void> {
    const lines = small;
    small = [];
    const of = <K extends SmallLine['kind']>(kind: K) => lines.filter((line): line is Of<K> => line.kind === kind);
    if (lines.length === 0) return;
    await explained(async () => {
      if (of('person').length > 0) await placePeople(of('person'));
      if (of('membership').length > 0) await placeMembers(of('membership'));
      if (of('bot-deployment').length > 0) await placeDeployments(w.tx, projectId, of('bot-deployment'));
      for (const line of of('bot-version')) await placeCode(w.tx, projectId, line);
      for (const { botId, files } of of('bot-draft')) await keepDraftFiles(w.tx, projectId, botId, toFilesText(files));
      if (of('bot-sample').length > 0) await placeSamples(w.tx, projectId, of('bot-sample'));
      for (const { kind: _, data, ...piece } of of('binary'))
        await placer.take({ ...piece, data: Buffer.from(data, 'base64') });
    });
  }

  /** Whoever had an account above projects has one of this project alone, with a new id where theirs is somebody's here. */
  async function placePeople(lines: Of<'person'>[]): Promise<void> {
    const taken = await findTakenUsers(
      w.tx,
      lines.map(({ id }) => id),
    );
    const lastUpdated = new Date().toISOString();
    const placed = lines.map(({ id: old, email, firstName, lastName }): PlacedRow & { email: string | undefined } => {
      const id = taken.has(old) ? newId() : old;
      if (id !== old) renamed.set(old, id);
      const known = email?.toLowerCase();
      const resource: User & Resource & { id: string } = {
        ...{ resourceType: 'User', id, firstName: firstName || known?.split('@')[0] || 'Somebody' },
        lastName: lastName || 'Unknown',
        ...(known && { email: known, emailVerified: false }),
        project: { reference: `Project/${projectId}` },
      };
      requireValid(resource, 'User');
      const columns = toColumns(resource);
      const author = byWhom(w, w.actor?.profile);
      return { type: 'User', id, version: 1, op: 'create', lastUpdated, author, ...columns, resource, email: known };
    });
    await placeVersions(w.tx, projectId, placed);
    await placeRows(w.tx, projectId, placed);
    await placeAccounts(w.tx, projectId, placed);
    counts.people += placed.length;
  }

  async function placeMembers(lines: Of<'membership'>[]): Promise<void> {
    const keys = lines.map(({ id, user, further }) => {
      const other = user.startsWith('User/') && renamed.get(user.slice('User/'.length));
      return { id, user: other ? `User/${other}` : user, further };
    });
    const elsewhere = await findElsewhere(w.tx, projectId, keys);
    if (elsewhere) throw new AppError('conflict', `Another project of this server has ${elsewhere}`);
    await placeKeys(w.tx, projectId, keys);
  }

  /** The project itself comes last. */
  async function end(): Promise<Resource> {
    if (last) await arrive(last);
    last = undefined;
    try {
      await flush();
      await placer.end();
    } finally {
      placer.giveUp();
    }
    if (!project?.resource) throw new AppError('invalid', 'The file has no project that is there');
    const held = project;
    await explained(() => placeRows(w.tx, projectId, [held]));
    return project.resource;
  }
}

function toVersion({ kind: _, meta, content, ...known }: VersionLine): PlacedVersion {
  const toText = (value: object | null) => (value ? JSON.stringify(value) : null);
  return { ...known, meta: toText(meta), content: toText(content) };
}

/** What the database refuses is wrong in the file. */
async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (uniqueViolation(cause) !== undefined) throw new AppError('conflict', 'Something stands twice', { cause });
    if (isUnstorable(cause)) throw new AppError('structure', 'Something cannot be stored', { cause });
    throw cause;
  }
}
