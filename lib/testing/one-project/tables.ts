import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import * as accountChanges from '#lib/infra/db/schema/account-change.ts';
import * as accountMerges from '#lib/infra/db/schema/account-merge.ts';
import * as apiKeys from '#lib/infra/db/schema/api-key.ts';
import * as asyncJob from '#lib/infra/db/schema/async-job.ts';
import * as auditChain from '#lib/infra/db/schema/audit-chain.ts';
import * as clients from '#lib/infra/db/schema/clients.ts';
import * as consents from '#lib/infra/db/schema/consent.ts';
import * as directory from '#lib/infra/db/schema/directory.ts';
import * as factors from '#lib/infra/db/schema/factor.ts';
import * as grants from '#lib/infra/db/schema/grants.ts';
import * as identity from '#lib/infra/db/schema/identity.ts';
import * as devices from '#lib/infra/db/schema/known-device.ts';
import * as mailDomains from '#lib/infra/db/schema/mail-domain.ts';
import * as operations from '#lib/infra/db/schema/operations.ts';
import * as passkeys from '#lib/infra/db/schema/passkey.ts';
import * as resource from '#lib/infra/db/schema/resource.ts';
import * as scim from '#lib/infra/db/schema/scim.ts';
import * as signInLinks from '#lib/infra/db/schema/sign-in-link.ts';

/** The columns, in their order. A tenant's table is what a cluster spreads by project, any other stands in one place. */
type Known = { columns: readonly string[]; isTenants: boolean };

/** By name. The key of a tenant's table begins with the project; the search index has none. */
export const TABLES: ReadonlyMap<string, Known> = new Map(
  [
    accountChanges,
    accountMerges,
    apiKeys,
    asyncJob,
    auditChain,
    clients,
    consents,
    devices,
    directory,
    factors,
    grants,
    identity,
    mailDomains,
    operations,
    passkeys,
    resource,
    scim,
    signInLinks,
  ]
    .flatMap((schema) => Object.values(schema) as unknown[])
    .filter((value) => value instanceof PgTable)
    .map((table) => {
      const { name, columns, primaryKeys } = getTableConfig(table);
      const first = primaryKeys[0]?.columns[0] ?? columns.find((column) => column.primary) ?? columns[0];
      return [name, { columns: columns.map((column) => column.name), isTenants: first?.name === 'project_id' }];
    }),
);
