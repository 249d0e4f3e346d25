import { parseGroup, type WantedGroup } from '#lib/protocol/scim/group.ts';
import { parseUser, type WantedUser } from '#lib/protocol/scim/user.ts';
import { type BodyReader, readJson } from '../door/read-body.ts';

/** A User, as a directory sends it. Throws 400 with every field that is wrong. */
export const userBody: BodyReader<WantedUser> = { read: async (request) => parseUser(await readJson(request)) };

/** A Group, in the same way. */
export const groupBody: BodyReader<WantedGroup> = { read: async (request) => parseGroup(await readJson(request)) };
