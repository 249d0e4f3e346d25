import { expect, test } from 'vitest';
import { reasonOf } from './reason-of.ts';
import { WrongSettings } from './wrong-settings.ts';

test('a failure is told in one line, without the parameters of a query', () => {
  const refused = new AggregateError([new Error('connect ECONNREFUSED ::1:5432'), new Error('x')]);
  const query = new Error('Failed query: select $1\nparams: ada@example.com', { cause: refused });
  expect(reasonOf(query)).toBe('connect ECONNREFUSED ::1:5432');
  expect(reasonOf(new Error('role "x" does not exist\nmore'))).toBe('role "x" does not exist');
  expect(reasonOf(new WrongSettings('PORT: must be a port', 'X: is unknown'))).toBe(
    'Wrong settings: PORT: must be a port X: is unknown',
  );
  expect(reasonOf('x')).toBe('unknown');
});
