import { expect, test } from 'vitest';
import { type HistoryBundle, toVersions } from './history.ts';

function entry(version: number, method: 'POST' | 'PUT' | 'DELETE') {
  const resource = {
    resourceType: 'ProjectMembership' as const,
    id: 'm',
    meta: { versionId: String(version), author: { reference: `Practitioner/${version}` } },
    project: {},
    user: {},
    profile: {},
  };
  return {
    resource: method === 'DELETE' ? undefined : resource,
    request: { method },
    response: { etag: `W/"${version}"`, lastModified: `2026-11-0${version}T00:00:00Z` },
  };
}

const ALL = [entry(5, 'PUT'), entry(4, 'PUT'), entry(3, 'DELETE'), entry(2, 'PUT'), entry(1, 'POST')];

function page(entries: typeof ALL): HistoryBundle {
  const isLast = entries.at(-1) === ALL.at(-1);
  return { link: isLast ? [] : [{ relation: 'next', url: 'https://a.test/_history?_cursor=3' }], entry: entries };
}

test('each version says what became of the one before', () => {
  const versions = toVersions([page(ALL.slice(0, 3)), page(ALL.slice(3))]);
  expect(versions.map(({ number, kind }) => [number, kind])).toEqual([
    [5, 'changed'],
    [4, 'back'],
    [3, 'removed'],
    [2, 'changed'],
    [1, 'made'],
  ]);
  expect(versions[0]).toMatchObject({
    at: '2026-11-05T00:00:00Z',
    author: 'Practitioner/5',
    before: { meta: { versionId: '4' } },
  });
  expect(versions.at(-1)?.before).toBeUndefined();
});

test('the last of a page waits for the one that it is compared with', () => {
  expect(toVersions([page(ALL.slice(0, 3))]).map(({ number }) => number)).toEqual([5, 4]);
});
