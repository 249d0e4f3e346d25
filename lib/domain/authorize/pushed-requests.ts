import { and, eq, gt, type SQL } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { isUuid, newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { pushedRequest } from '#lib/infra/db/schema/grants.ts';

/** What an app has sent beforehand, and which of our clients it is. */
export type Pushed = { projectId: string; clientId: string; params: URLSearchParams; needsProof: boolean };

const PREFIX = 'urn:ietf:params:oauth:request_uri:';
/** So long has a person who signs in and reads what they are asked, once their browser is here. */
const OPEN_SECONDS = 60 * 60;

type Row = typeof pushedRequest.$inferInsert;

/** A name for it, and the row that is kept under the name's hash. The name has the project, by which it is found. */
export function toPushedRow({ projectId, clientId, params, needsProof }: Pushed, seconds: number) {
  const handle = `${projectId}.${newSecret()}`;
  const row: Row = {
    projectId,
    hash: hashSecret(handle),
    clientId,
    params: String(params),
    needsProof,
    expiresAt: new Date(Date.now() + seconds * 1000),
  };
  return { requestUri: `${PREFIX}${handle}`, row };
}

/** Keeps what was taken under a new name, which only this browser knows; what it brings with it instead of the whole request. */
export async function keepPushed(pushed: Pushed, params: URLSearchParams): Promise<URLSearchParams> {
  const { requestUri, row } = toPushedRow({ ...pushed, params }, OPEN_SECONDS);
  await db().insert(pushedRequest).values(row);
  return new URLSearchParams({ client_id: pushed.clientId, request_uri: requestUri });
}

/** Whether the request is one that was sent beforehand. Any other request_uri is none of ours. */
export function isPushed(given: URLSearchParams): boolean {
  return given.get('request_uri')?.startsWith(PREFIX) === true;
}

/** What was sent beforehand, which stays. Throws 400 when it is not known (any more), or is another client’s. */
export async function readPushed(given: URLSearchParams): Promise<Pushed> {
  const [row] = await db()
    .select()
    .from(pushedRequest)
    .where(toWhere(given) ?? unknown());
  return toPushed(row);
}

/** The same, once: of two at the same moment one gets it. */
export async function takePushed(q: Queryable, given: URLSearchParams): Promise<Pushed> {
  const [row] = await q
    .delete(pushedRequest)
    .where(toWhere(given) ?? unknown())
    .returning();
  return toPushed(row);
}

/** The client stands in it, so that nobody spends what is another's. */
function toWhere(given: URLSearchParams): SQL | undefined {
  const [handle, second] = given.getAll('request_uri').map((uri) => uri.slice(PREFIX.length));
  const projectId = handle?.split('.', 1)[0];
  const [clientId, other] = given.getAll('client_id');
  if (!handle || second !== undefined || other !== undefined || !isUuid(projectId) || !isUuid(clientId)) return;
  return and(
    eq(pushedRequest.projectId, projectId),
    eq(pushedRequest.hash, hashSecret(handle)),
    eq(pushedRequest.clientId, clientId.toLowerCase()),
    gt(pushedRequest.expiresAt, new Date()),
  );
}

function toPushed(row: typeof pushedRequest.$inferSelect | undefined): Pushed {
  return row ? { ...row, params: new URLSearchParams(row.params) } : unknown();
}

function unknown(): never {
  throw new AppError('invalid', 'This request_uri has been used, has expired, or is another app’s: go back to the app');
}
