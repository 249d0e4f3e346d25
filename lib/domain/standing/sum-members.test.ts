import { expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import { createWorld } from '#lib/testing/world.ts';
import { addUp } from './member-kinds.ts';
import { sumMembers } from './sum-members.ts';

test('who asks in one turn shares a statement, of each project one, and what is written before it is asked for is counted', async () => {
  const [world, other] = [await createWorld(), await createWorld()];
  const sent: unknown[] = [];
  const stop = watchStatements((text, params) => void (text.includes('member_count') && sent.push(params[0])));
  const first = Array.from({ length: 20 }, () => [sumMembers(world.projectId), sumMembers(other.projectId)]).flat();
  const [before] = (await Promise.all(first)).map((sums) => addUp(sums, () => true));
  stop();
  expect(sent.sort()).toEqual([world.projectId, other.projectId].sort());
  const earlier = sumMembers(world.projectId);
  await world.invite();
  expect(addUp(await sumMembers(world.projectId), () => true)).toBe(before! + 1);
  await earlier;
});
