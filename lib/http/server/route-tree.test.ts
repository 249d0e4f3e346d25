import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addRoute, makeRouteTree, matchRoute } from './route-tree.ts';

const PATHS = [
  'fhir/R4/[type]',
  'fhir/R4/[type]/[id]',
  'fhir/R4/Bot/[id]/$execute',
  'fhir/R4/Bot/$execute',
  'fhir/R4/metadata',
  'fhir/R4/[...rest]',
  'admin/(people)/projects/[projectId]/invite',
  '.well-known/[[...name]]',
  'healthcheck',
];

function treeOfPaths() {
  const tree = makeRouteTree<string>();
  for (const path of PATHS) addRoute(tree, path.split('/'), path);
  return tree;
}

test.each([
  ['/healthcheck', 'healthcheck', {}],
  ['/healthcheck/', 'healthcheck', {}],
  ['/fhir/R4/metadata', 'fhir/R4/metadata', {}],
  ['/fhir/R4/Patient', 'fhir/R4/[type]', { type: 'Patient' }],
  ['/fhir/R4/Patient/1', 'fhir/R4/[type]/[id]', { type: 'Patient', id: '1' }],
  ['/fhir/R4/Bot/1/$execute', 'fhir/R4/Bot/[id]/$execute', { id: '1' }],
  ['/fhir/R4/Bot/1/%24execute', 'fhir/R4/Bot/[id]/$execute', { id: '1' }],
  ['/fhir/R4/Bot/%24execute/', 'fhir/R4/Bot/$execute', {}],
  ['/fhir/R4/Bot/1', 'fhir/R4/[type]/[id]', { type: 'Bot', id: '1' }],
  ['/fhir/R4/Patient/1/_history/2', 'fhir/R4/[...rest]', { rest: ['Patient', '1', '_history', '2'] }],
  ['/admin/projects/9/invite', 'admin/(people)/projects/[projectId]/invite', { projectId: '9' }],
  ['/.well-known', '.well-known/[[...name]]', { name: undefined }],
  ['/.well-known/jwks.json', '.well-known/[[...name]]', { name: ['jwks.json'] }],
])('%s reaches %s', (path, target, params) => {
  expect(matchRoute(treeOfPaths(), path)).toEqual({ target, params });
});

test.each(['/', '/admin', '/admin/projects//invite', '//healthcheck', '/healthcheck/more', '/fhir/R4', '/%zz'])(
  '%s reaches nothing',
  (path) => {
    expect(matchRoute(treeOfPaths(), path)).toBeUndefined();
  },
);

test('parameters come out decoded once, and as they were sent when they cannot be decoded', () => {
  expect(matchRoute(treeOfPaths(), '/fhir/R4/Patient/a%2Fb%2524')?.params).toEqual({ type: 'Patient', id: 'a/b%24' });
  expect(matchRoute(treeOfPaths(), '/fhir/R4/Patient/%zz')?.params).toEqual({ type: 'Patient', id: '%zz' });
});

test('no path whatever makes the matcher throw', () => {
  const tree = treeOfPaths();
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom('fhir', 'R4', 'Bot', '%', '__proto__'))),
      (parts) => void matchRoute(tree, `/${parts.join('/')}`),
    ),
  );
});
