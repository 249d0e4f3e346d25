import { z } from 'zod';
import { AppError } from '#lib/base/errors.ts';
import { plainName } from '../requests/plain-name.ts';
import { toIssues } from '../zod-issues.ts';
import { GROUP_SCHEMA } from './urns.ts';
import { orNone } from './user.ts';

/** Of one group. A directory sends all of them at once, or one after the other. */
export const MOST_MEMBERS = 10_000;

const member = z.object(
  {
    value: z.string({ error: 'value must be the id of a User' }).trim().toLowerCase(),
    type: orNone(z.string().refine((type) => type.toLowerCase() === 'user', 'Only Users are members of a group')),
  },
  { error: 'A member is an object with value' },
);

export const memberList = z
  .array(member, { error: 'members must be a list' })
  .max(MOST_MEMBERS, `At most ${MOST_MEMBERS} members`)
  .transform((list) => [...new Set(list.map(({ value }) => value))]);

const scimGroup = z.object(
  {
    displayname: plainName('displayName is required', 256, 'At most 256 characters'),
    externalid: orNone(plainName('externalId must not be empty', 256)),
    members: z.preprocess((value) => value ?? [], memberList),
  },
  { error: 'The body must be a JSON object' },
);

/** What a directory says of a group (RFC 7643 §4.2): `members` are ids of Users, each once. */
export type WantedGroup = { displayName: string; externalId?: string; members: string[] };

/** Throws 400 for a body that is no Group, one issue a field. What is not kept is passed over (RFC 7644 §3.3). */
export function parseGroup(body: unknown): WantedGroup {
  const given = lowered(body);
  const { schemas } = (given ?? {}) as { schemas?: unknown };
  if (Array.isArray(schemas) && !schemas.includes(GROUP_SCHEMA)) {
    throw new AppError('structure', `schemas must have ${GROUP_SCHEMA}`, { expression: 'schemas' });
  }
  const result = scimGroup.safeParse(given);
  if (result.success) {
    const { displayname: displayName, externalid: externalId, members } = result.data;
    return { displayName, ...(externalId !== undefined && { externalId }), members };
  }
  throw new AppError('invalid', 'Invalid Group', { issues: toIssues(result.error).map(named) });
}

/** Names count whatever their case (RFC 7643 §2.1). */
function lowered(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toLowerCase(), value]));
}

const NAMES: Record<string, string> = { displayname: 'displayName', externalid: 'externalId' };

function named<T extends { expression?: string }>(issue: T): T {
  const { expression = '' } = issue;
  return { ...issue, expression: Object.hasOwn(NAMES, expression) ? NAMES[expression] : issue.expression };
}

/** As it is told. Without `members` where nobody asked for them: there may be thousands. */
export type ScimGroup = {
  schemas: [typeof GROUP_SCHEMA];
  id: string;
  externalId?: string;
  displayName: string;
  members?: { value: string; $ref: string; type: 'User' }[];
  meta: { resourceType: 'Group'; created: string; lastModified: string; location: string; version: string };
};
