import type { TestContext } from 'vitest';

/** What a few tests arrange or look at, and the one database of a cluster that all of them share there does not have. */
const LACKING = {
  triggers: 'Citus refuses triggers on tables that are spread',
  pages: 'the coordinator counts none of the pages that a node looks at for it, and does not plan for it',
  noTls: 'Citus gives each node a certificate, and so TLS, by itself',
  waits: 'who waits for a row waits on its node, of which the coordinator’s pg_stat_activity says nothing',
};

/** Ends this test here in `npm run test:cluster`, and says why: what it needs cannot be had there. */
export function skipOnCluster({ skip }: TestContext, lacking: keyof typeof LACKING): void {
  skip(Boolean(process.env.TEST_SHARED_DATABASE_URL), LACKING[lacking]);
}
