import { type Filter as Parsed, parse } from 'scim2-parse-filter';
import { AppError } from '#lib/base/errors.ts';
import { MOST_MEMBERS, memberList, parseGroup, type WantedGroup } from './group.ts';
import { fault, type Operation, readPatch } from './patch.ts';

const PATH = /^(?:urn:ietf:params:scim:schemas:core:2\.0:Group:)?([a-z$]\w*)(\[.*\])?(?:\.([a-z$]\w*))?$/is;
const EXTENSION = /^urn:ietf:params:scim:schemas:extension:/i;
const PASSED_OVER = new Set(['schemas', 'meta']);

/** A group while it is patched: `members` in the order in which they came. */
type Draft = { id: string; displayName: unknown; externalId: unknown; members: Set<string> };

/**
 * A PATCH (RFC 7644 §3.5.2) on a Group, as Okta and Entra send it: members added and removed one by one or as a list, by value or by filter,
 * names replaced with or without a path. Ours and not that of the library for Users, which looks through all members for each. Throws 400
 * with the RFC's own name of the fault.
 */
export function applyGroupPatch(group: WantedGroup & { id: string }, body: unknown): WantedGroup {
  const draft: Draft = {
    id: group.id,
    displayName: group.displayName,
    externalId: group.externalId,
    members: new Set(group.members),
  };
  for (const operation of readPatch(body).Operations) applyOne(draft, operation);
  if (draft.members.size > MOST_MEMBERS) throw fault('invalidValue', `At most ${MOST_MEMBERS} members`, 'members');
  const { displayName, externalId } = draft;
  return { ...parseGroup({ displayName, externalId }), members: [...draft.members] };
}

function applyOne(draft: Draft, { op, path, value }: Operation): void {
  if (path) {
    setOne(draft, op, path, value);
    return;
  }
  if (op === 'remove') throw fault('noTarget', 'remove needs a path');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fault('invalidValue', 'Without a path, value must be an object');
  }
  for (const [key, part] of Object.entries(value)) setOne(draft, op, key, part);
}

function setOne(draft: Draft, op: Operation['op'], path: string, value: unknown): void {
  if (EXTENSION.test(path)) return;
  const [, given = '', filter, part] = PATH.exec(path) ?? [];
  const name = given.toLowerCase();
  if (PASSED_OVER.has(name)) return;
  if (name === 'members') {
    setMembers(draft, op, { filter, part, value, path });
    return;
  }
  if (filter !== undefined || part !== undefined)
    throw fault('invalidPath', `${path} is no path of an attribute`, path);
  if (name === 'id') {
    // Okta says it along with a new name.
    if (op !== 'remove' && value === draft.id) return;
    throw fault('mutability', 'id is read only', 'id');
  }
  if (name !== 'displayname' && name !== 'externalid')
    throw fault('invalidPath', `There is no attribute ${path}`, path);
  draft[name === 'displayname' ? 'displayName' : 'externalId'] = op === 'remove' ? undefined : value;
}

type Members = { filter: string | undefined; part: string | undefined; value: unknown; path: string };

function setMembers(draft: Draft, op: Operation['op'], { filter, part, value, path }: Members): void {
  if (part !== undefined && part.toLowerCase() !== 'value') throw fault('mutability', `${path} is read only`, path);
  if (filter !== undefined) {
    if (op !== 'remove') throw fault('invalidPath', 'Members are added by a list, and removed by a filter', path);
    for (const id of idsOf(filter, path)) draft.members.delete(id);
    return;
  }
  // Entra names by value whom it removes; without, the RFC means all.
  const isAll = op === 'remove' && (value === undefined || value === null);
  if (isAll || op === 'replace') draft.members.clear();
  if (isAll) return;
  for (const id of readMembers(value)) {
    if (op === 'remove') draft.members.delete(id);
    else draft.members.add(id);
  }
}

/** One where a list is meant is that one. */
function readMembers(value: unknown): string[] {
  const list = Array.isArray(value) ? value : [value];
  const parsed = memberList.safeParse(list.map((item) => (typeof item === 'string' ? { value: item } : item)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw fault('invalidValue', issue?.message ?? 'Invalid members', ['members', ...(issue?.path ?? [])].join('.'));
}

/** `[value eq "x"]`, or several with `or` between them. */
function idsOf(filter: string, path: string): string[] {
  let parsed: Parsed;
  try {
    parsed = parse(filter.slice(1, -1));
  } catch (cause) {
    throw new AppError('invalid', 'The filter of the path is not valid', { scim: 'invalidFilter', cause });
  }
  const leaves = parsed.op === 'or' ? parsed.filters : [parsed];
  return leaves.map((leaf) => {
    const isId = leaf.op === 'eq' && leaf.attrPath.toLowerCase() === 'value' && typeof leaf.compValue === 'string';
    if (!isId) throw fault('invalidFilter', 'Members are named by value eq "id"', path);
    return String(leaf.compValue).toLowerCase();
  });
}
