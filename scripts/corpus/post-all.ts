import type { Resource } from '#lib/protocol/fhir/types.ts';
import { isSameJson, parseJson } from '#lib/protocol/json/json.ts';
import type { Refused } from './expected.ts';
import type { Found } from './read-files.ts';

export type Findings = { posted: number; equal: number; refused: Refused[]; different: string[] };

/** `base`: `https://host/fhir/R4`. */
type Server = { base: string; authorization: string };
type Entry = { fullUrl?: string; resource?: Resource; request: { method: string; url: string } };
type Answered = { resource?: Resource; response: { status: string; location?: string; outcome?: unknown } };
/** What was sent, and the entry that it was sent as. */
type Sent = { from: string; entry: Entry };

const AT_ONCE = 100;
/** Of one request, in characters. */
const LARGE = 4 * 1024 * 1024;

/**
 * Posts every resource, transactions and batches whole and the others by the hundred, and reads each back. Told is what was refused, with the
 * reason, and what is not as it was sent, but for ids, versions and the names of Bundles.
 */
export async function postAll(server: Server, found: Iterable<Found>): Promise<Findings> {
  const findings: Findings = { posted: 0, equal: 0, refused: [], different: [] };
  let waiting: Sent[] = [];
  let size = 0;
  const flush = async () => {
    const some = waiting;
    waiting = [];
    size = 0;
    if (some.length > 0) await postTogether(server, some, 'batch', findings);
  };
  for (const { from, resource } of found) {
    const { type, entry } = resource as { type?: string; entry?: Entry[] };
    if (resource.resourceType === 'Bundle' && (type === 'transaction' || type === 'batch')) {
      const sent = (entry ?? []).map((one, at) => ({ from: `${from} entry[${at}]`, entry: one }));
      await postTogether(server, sent, type, findings);
      continue;
    }
    waiting.push({ from, entry: { resource, request: { method: 'POST', url: resource.resourceType } } });
    size += JSON.stringify(resource).length;
    if (waiting.length === AT_ONCE || size > LARGE) await flush();
  }
  await flush();
  return findings;
}

async function postTogether(
  server: Server,
  sent: Sent[],
  type: 'batch' | 'transaction',
  findings: Findings,
): Promise<void> {
  const answer = await post(
    server,
    type,
    sent.map(({ entry }) => entry),
  );
  findings.posted += sent.length;
  if (!answer.entry) {
    findings.refused.push({ from: sent[0]?.from ?? '', status: '', texts: textsOf(answer) });
    return;
  }
  const made = sent.flatMap((one, at) => {
    const { response } = answer.entry![at]!;
    const path = /\/(\w+\/[\w.-]+)\/_history\//.exec(response.location ?? '')?.[1];
    if (response.status < '3' && path !== undefined) return [{ ...one, path }];
    findings.refused.push({ from: one.from, status: response.status, texts: textsOf(response.outcome) });
    return [];
  });
  const read = made.map(({ path }) => ({ request: { method: 'GET', url: path } }));
  const names = new Map(
    made.flatMap(({ entry, path }) => (entry.fullUrl === undefined ? [] : [[entry.fullUrl, path]])),
  );
  const back = (await post(server, 'batch', read)).entry ?? [];
  for (const [at, { from, entry }] of made.entries()) {
    const [before, after] = [bare(entry.resource, names), bare(back[at]?.resource, new Map())];
    if (isSameJson(before, after)) findings.equal += 1;
    else findings.different.push(`${from}\n  sent ${JSON.stringify(before)}\n  read ${JSON.stringify(after)}`);
  }
}

/** What each issue of an OperationOutcome says; of anything else the whole. */
function textsOf(outcome: unknown): string[] {
  const { issue } = (outcome ?? {}) as { issue?: { details?: { text?: string } }[] };
  return issue?.map((one) => one.details?.text ?? JSON.stringify(one)) ?? [JSON.stringify(outcome ?? {})];
}

async function post({ base, authorization }: Server, type: string, entry: Entry[]): Promise<{ entry?: Answered[] }> {
  const response = await fetch(base, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/fhir+json' },
    body: JSON.stringify({ resourceType: 'Bundle', type, entry }),
  });
  const answer = parseJson(await response.text()) as { entry?: Answered[] };
  return response.ok ? { entry: answer.entry ?? [] } : answer;
}

/** Without what the server gives, and with the names of a Bundle as what they have become. */
function bare(resource: Resource | undefined, names: ReadonlyMap<string, string>): unknown {
  const { id: _id, meta, ...rest } = resource ?? {};
  const { versionId: _version, lastUpdated: _at, ...given } = (meta ?? {}) as Record<string, unknown>;
  const text = JSON.stringify(Object.keys(given).length > 0 ? { ...rest, meta: given } : rest);
  return parseJson(
    text.replace(/"((?:urn:|https?:)[^"\\]*)"/g, (all, name) =>
      names.has(name) ? JSON.stringify(names.get(name)) : all,
    ),
  );
}
