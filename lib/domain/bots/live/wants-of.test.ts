import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { wantsOf } from './wants-of.ts';

const sourceOf = (name: string) => `medplum.createResource({ resourceType: '${name}' });`;

test('what a source wants is read once, and is the same', async () => {
  const projectId = newId();
  const first = await wantsOf(projectId, [sourceOf('Basic')]);
  expect(first.wants).toEqual([{ kind: 'resource', type: 'Basic', interaction: 'create' }]);
  expect(await wantsOf(newId(), [sourceOf('Basic')])).toBe(first);
  // Where one file ends is part of what they are.
  expect(await wantsOf(projectId, [sourceOf('Basic'), ''])).not.toBe(first);
});

test('of one project ten wait for the one that is read; others have their own turn', async () => {
  const projectId = newId();
  const long = (at: number) => [`${sourceOf('Task')}${'a.b(c);'.repeat(2000)}// ${at} ${projectId}`];
  const all = await Promise.allSettled(Array.from({ length: 12 }, (_, at) => wantsOf(projectId, long(at))));
  const refused = all.filter((one) => one.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(['too-many-requests']);
  expect((await wantsOf(newId(), long(99))).wants).toHaveLength(1);
});
