import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { requireEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { isIdentityType, isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import type { Meta, Project, ProjectMembership, Resource, User } from '#lib/protocol/fhir/types.ts';
import { findSettingFault } from '#lib/protocol/sign-in/setting-fault.ts';
import type { VersionLine } from '#lib/protocol/transfer/parse-line.ts';
import { accountsIn } from '../access/accounts.ts';
import { requireStorableClient } from '../clients/require-storable-client.ts';
import { requireProvider } from '../providers/require-provider.ts';
import { requirePlainName } from '../rest/rules/require-plain-name.ts';
import { requireValid } from '../store/require-valid.ts';
import { PLATFORM_META } from '../store/row.ts';

/** Types that a project may have of its own, beside those of FHIR. */
const OWN = new Set([
  'AccessPolicy',
  'Bot',
  'ClientApplication',
  'Project',
  'ProjectMembership',
  'User',
  'UserConfiguration',
]);
/** What stands in columns of its own, and would be told instead of them. */
const COLUMNS = ['resourceType', 'id', 'meta'];
/** What no file of ours has: secrets are not kept in resources. */
const SECRETS = ['secret', 'retiringSecret', 'systemSecret'];
/** Clocks of two servers. */
const AHEAD_MS = 5 * 60_000;

/** Throws 400 for a version that no server of ours has written, or that is of another project. */
export function requireVersion({ type, id, op, lastUpdated, meta, content }: VersionLine, projectId: string): void {
  if (!isResourceType(type) || (isIdentityType(type) && !OWN.has(type)))
    throw refused(`${type} is of no project`, 'type');
  if ((isIdentityType(type) || type === 'Binary') && (!isUuid(id) || id !== id.toLowerCase()))
    throw refused(`The id of a ${type} is a UUID in small letters`, 'id');
  if (type === 'Project' && id !== projectId) throw refused('The file is of another project', 'id');
  if (Date.parse(lastUpdated) > Date.now() + AHEAD_MS)
    throw refused('It is of a time that has not come', 'lastUpdated');
  if ((op === 'delete') !== (content === null))
    throw refused('A deletion, and nothing else, has no content', 'content');
  const mayHaveAccounts = !isIdentityType(type);
  const named = Object.keys(meta ?? {}).find(
    (name) => !(name === 'accounts' && mayHaveAccounts) && PLATFORM_META.has(name.replace(/^_/, '')),
  );
  if (named) throw refused(`${named} is not told in meta`, `meta.${named}`);
  const column = COLUMNS.find((name) => Object.hasOwn(content ?? {}, name));
  if (column) throw refused(`${column} does not stand in the content`, `content.${column}`);
  accountsIn(meta as Meta | undefined);
  if (isIdentityType(type) && content) requireOwn(type, content, projectId);
}

function requireOwn(type: string, content: Record<string, unknown>, projectId: string): void {
  const secret = SECRETS.find((name) => Object.hasOwn(content, name));
  if (secret) throw refused('Secrets are not imported', `content.${secret}`);
  if (type === 'Project' && content.superAdmin === true)
    throw refused('The project of a server’s administrators is not imported', 'content.superAdmin');
  if (type !== 'ProjectMembership' && type !== 'User') return;
  const { project } = content as { project?: { reference?: string } };
  if (project?.reference !== `Project/${projectId}`) throw refused('It is of another project', 'content.project');
}

/** Throws 400 for what stands now and may not, as a write of it would. */
export function requireCurrent(resource: Resource & { id: string }): void {
  const type = resource.resourceType;
  requireValid(type === 'Binary' ? withoutAddress(resource) : resource, type);
  if (type === 'ProjectMembership') requireEntryDates(resource as unknown as ProjectMembership);
  if (type === 'ClientApplication') requireClient(resource as unknown as ClientApplication);
  if (type === 'User') requireUser(resource as unknown as User);
  if (type === 'Project') requireProject(resource as unknown as Project);
}

/** What `storeBinary` says of where its bytes are. */
function withoutAddress({ url, ...binary }: Resource & { id: string }): Resource {
  if (url !== `Binary/${binary.id}`) throw refused('The address of a Binary is its own', 'Binary.url');
  return binary;
}

function requireClient(client: ClientApplication): void {
  requireStorableClient(client);
  requireProvider(client.identityProvider, 'ClientApplication.identityProvider');
  if (client.identityProvider?.clientSecret !== undefined)
    throw refused('Secrets are not imported', 'ClientApplication.identityProvider.clientSecret');
}

function requireUser({ email, firstName, lastName }: User): void {
  if (email !== email?.toLowerCase()) throw refused('An address stands in small letters', 'User.email');
  requirePlainName('User.firstName', firstName);
  requirePlainName('User.lastName', lastName);
}

function requireProject({ name, setting = [] }: Project): void {
  requirePlainName('Project.name', name);
  for (const [index, item] of setting.entries()) {
    const fault = findSettingFault(item);
    if (fault !== undefined) throw refused(fault, `Project.setting[${index}]`);
  }
}

function refused(text: string, expression: string): AppError {
  return new AppError('invalid', text, { expression });
}
