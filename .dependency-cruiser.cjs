/** The import law (ARCHITECTURE.md, "Floors"). A floor may import only what stands below it. */
const FLOORS = [
  '^lib/base',
  '^lib/protocol',
  '^lib/infra',
  '^lib/domain',
  '^lib/http',
  '^lib/client',
  '^components',
  '^app',
];
const ROOMS = [
  'access',
  'directory',
  'standing',
  'audit',
  'idempotency',
  'limits',
  'bytes',
  'store',
  'terminology',
  'conformance',
  'bounds',
  'api-keys',
  'sessions',
  'proofs',
  'links',
  'devices',
  'webauthn',
  'accounts',
  'factors',
  'account-changes',
  'clients',
  'client-requests',
  'providers',
  'ways',
  'profiles',
  'memberships',
  'invites',
  'people',
  'mail-domains',
  'scim',
  'groups',
  'bulk-jobs',
  'projects',
  'launches',
  'sign-in',
  'own-memberships',
  'registration',
  'sign-in-links',
  'external',
  'passkeys',
  'own-account',
  'safety',
  'own-keys',
  'signing',
  'audit-proof',
  'oauth',
  'client-registration',
  'authorize',
  'account-merge',
  'grants',
  'project-mail',
  'bot-events',
  'bot-secrets',
  'bots',
  'bot-samples',
  'runs',
  'run-log',
  'rest',
  'triggers',
  'bulk-data',
  'bulk-import',
  'subscriptions',
  'hl7-feeds',
  'rehearsals',
  'policies',
  'record-erasure',
  'transfer',
];
const DRIVERS = [
  'postgres',
  'drizzle-orm/postgres-js',
  'pg-boss',
  '@prometheus-io/client',
  'resend',
  'isolated-vm',
  'esbuild',
  'embedded-postgres',
  '@aws-sdk/[^/]+',
  '@embedded-postgres/[^/]+',
];
const TESTS = '\\.test\\.tsx?$';
const BROWSER = '^(lib/client|components)';

/** Server floors that the browser's floors must not reach, and what a floor must not see of those above it. */
const floors = FLOORS.slice(0, -1).map((floor, at) => ({
  name: `floor-${floor.replace(/^\^(lib\/)?/, '')}`,
  comment: `Imports go downward only: ${FLOORS.map((name) => name.slice(1))
    .reverse()
    .join(' > ')}.`,
  severity: 'error',
  from: { path: `${floor}/`, pathNot: TESTS },
  to: { path: `(${FLOORS.slice(at + 1).join('|')})/` },
}));

const rooms = ROOMS.slice(0, -1).map((room, at) => ({
  name: `room-${room}`,
  comment: `Rooms of lib/domain import lower rooms only: ${[...ROOMS].reverse().join(' > ')}.`,
  severity: 'error',
  from: { path: `^lib/domain/${room}/`, pathNot: TESTS },
  to: { path: `^lib/domain/(${ROOMS.slice(at + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    ...floors,
    ...rooms,
    {
      name: 'browser-stays-in-the-browser',
      comment:
        'Components and lib/client reach the system through its HTTP API only: no door, no domain, no infra in the browser.',
      severity: 'error',
      from: { path: BROWSER, pathNot: TESTS },
      to: { path: '^lib/(http|domain|infra)/' },
    },
    {
      name: 'components-take-data-from-client',
      comment:
        'Components know lib/client and lib/protocol. lib/base reads the environment and writes the log: server only, but for ids and errors.',
      severity: 'error',
      from: { path: BROWSER, pathNot: TESTS },
      to: { path: '^lib/base/(env|log)\\.ts$' },
    },
    {
      name: 'drivers-in-infra',
      comment:
        'Only lib/infra imports what we do not own; everything else goes through its functions, so that a driver can be replaced in one place.',
      severity: 'error',
      from: {
        path: '^(app|components|lib|server\\.ts|instrumentation\\.ts|scripts)',
        pathNot: ['^lib/infra/', '^lib/testing/', '^scripts/(bench|cluster|embedded-postgres|faults|upgrade)', TESTS],
      },
      to: { path: `(^|node_modules/)(${DRIVERS.join('|')})(/|$)` },
    },
    {
      name: 'no-sql-at-the-door',
      comment:
        'lib/http knows verbs, not tables: what it must keep or find is a function of the room that owns the table.',
      severity: 'error',
      from: { path: '^lib/http/', pathNot: TESTS },
      to: { path: '(^|node_modules/)drizzle-orm(/|$)|^lib/infra/db/schema/' },
    },
    {
      name: 'web-requests-only',
      comment: 'Route handlers run both under Next and on Node itself (server.ts): nothing they import may need Next.',
      severity: 'error',
      from: { path: '^lib/(domain|infra|protocol|base|http)/' },
      // next-auth/jwt only opens a cookie; it needs no Next.
      to: {
        path: '(^|node_modules/)(next|next-auth)(/|$)',
        pathNot: 'next-auth/jwt',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'testing-is-for-tests',
      comment: 'lib/testing is not shipped: only tests may import it.',
      severity: 'error',
      from: { pathNot: ['^lib/testing/', '^vitest\\.config\\.ts$', '^e2e/', TESTS] },
      to: { path: '^lib/testing/' },
    },
    {
      name: 'no-barrels',
      comment: 'A file that only passes others on hides where things live. Import the file itself.',
      severity: 'error',
      from: {},
      to: { path: ['^(app|components|lib)/index\\.tsx?$', '^(app|components|lib)/.*/index\\.tsx?$'] },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or miss a third one below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'The import leads nowhere. Specifiers carry .ts or .tsx; aliases are #lib/… and #components/….',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^fhir/r4$' },
    },
    {
      name: 'no-dev-packages',
      comment: 'npm install --omit=dev must still give a server that runs.',
      severity: 'error',
      from: { path: '^(app|components|lib|server\\.ts|instrumentation\\.ts)', pathNot: [TESTS, '^lib/testing/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(\\.next|\\.data)/|generated/' },
    // TypeScript 7 has no parser API for JavaScript; swc reads the sources instead.
    parser: 'swc',
    detectJSDocImports: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
