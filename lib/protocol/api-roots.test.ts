import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { API_ROOTS } from './api-roots.ts';

const ROOT = join(import.meta.dirname, '../..');
const APP = join(ROOT, 'app');

test('every route of app/ stands below a root of the API, but for those of next-auth', () => {
  const routes = readdirSync(APP, { recursive: true, withFileTypes: true }).filter(({ name }) => name === 'route.ts');
  const roots = new Set(routes.map(({ parentPath }) => parentPath.slice(APP.length + 1).split('/')[0]!));
  expect([...roots].filter((root) => !API_ROOTS.includes(root))).toEqual(['api']);
});

test('the proxy of the pages leaves out what is API, and nothing else', () => {
  // Next reads the matcher without running it, so it cannot import the list.
  const [, matcher = ''] = /matcher: \[\s*'(.+)',?\s*\]/.exec(readFileSync(join(ROOT, 'proxy.ts'), 'utf8')) ?? [];
  const pages = new RegExp(`^${matcher.replaceAll('\\\\', '\\')}$`);
  const isPage = (path: string) => pages.test(path);
  expect([...API_ROOTS, 'api/auth', '_next/static'].filter((root) => isPage(`/${root}/x`))).toEqual([]);
  expect(['/healthcheck', '/metrics', '/cds-services', '/icon.svg'].filter(isPage)).toEqual([]);
  expect(['/', '/signin', '/register', '/p/1/members', '/authors'].filter((path) => !isPage(path))).toEqual([]);
  // A page that is not there is a page too.
  expect(
    ['/healthcheckx', '/metricsx', '/icon.svgx', '/adminx', '/api/x', '/_next/x'].filter((path) => !isPage(path)),
  ).toEqual([]);
});
