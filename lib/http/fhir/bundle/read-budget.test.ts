import { expect, test } from 'vitest';
import { MOST_ANSWERED, MOST_READING } from '#lib/protocol/fhir/bundle-limits.ts';
import { newReadBudget } from './read-budget.ts';

test('reads that took long together, though one failed, leave nothing for the next', async () => {
  let time = 0;
  const budget = newReadBudget(() => time);
  const take = (ms: number) => async () => {
    time += ms;
    return { body: 'x' };
  };
  await budget.spend(take(MOST_READING));
  await expect(
    budget.spend(async () => {
      time += 1;
      throw new Error('Not this');
    }),
  ).rejects.toThrow('Not this');
  time += MOST_READING;
  await expect(budget.spend(take(1))).rejects.toMatchObject({ code: 'too-costly' });
});

test('what is done besides takes no time of it, but room', async () => {
  const budget = newReadBudget();
  budget.answer(MOST_ANSWERED);
  expect(await budget.spend(async () => ({ body: 'xy' }))).toEqual({ body: 'xy' });
  await expect(budget.spend(async () => ({}))).rejects.toMatchObject({ code: 'too-costly' });
});
