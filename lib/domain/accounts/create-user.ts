import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import { credential } from '#lib/infra/db/schema/identity.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { noteProject } from '../directory/note-project.ts';
import { createRowWith } from '../store/create-row.ts';
import type { Row } from '../store/row.ts';
import { insertAddress } from './save-address.ts';

export type CreateUserInput = {
  /** SERVER_SCOPE, or the project that the User belongs to. */
  scope: string;
  firstName: string;
  lastName: string;
  email?: string;
  externalId?: string;
  passwordHash?: string;
  /** They must enrol a second factor to sign in. */
  mfaRequired?: boolean;
  author?: string;
  /** The project that they are made a member of in the same transaction. */
  joins?: string;
  /** They register in a project, and nobody has invited them: an invitation to that address asks for a proof of it. */
  selfMade?: boolean;
};

/** The User, its sign-in address and its password, in the transaction. A taken address fails on the unique index: look before, under a lock. */
export async function createUser(w: Write, input: CreateUserInput): Promise<Row> {
  const { scope, firstName, lastName, email, externalId } = input;
  const user: User = {
    resourceType: 'User',
    firstName,
    lastName,
    ...(email ? { email: email.toLowerCase(), emailVerified: false } : {}),
    ...(externalId ? { externalId } : {}),
    ...(input.mfaRequired ? { mfaRequired: true } : {}),
    ...(scope === SERVER_SCOPE ? {} : { project: { reference: `Project/${scope}` } }),
  };
  const id = newId();
  const audited = w.auditBeside({ projectId: scope, action: 'user.create', target: `User/${id}` });
  const row = await createRowWith(w, scope, user, { author: input.author, id }, audited);
  const home = scope === SERVER_SCOPE ? input.joins : scope;
  const { selfMade = false } = input;
  if (email) await insertAddress(w.tx, { userId: id, scope, email: email.toLowerCase(), projectId: home, selfMade });
  else if (home) await noteProject(w.tx, home, [id]);
  if (input.passwordHash) await w.tx.insert(credential).values({ userId: row.id, passwordHash: input.passwordHash });
  return row;
}
