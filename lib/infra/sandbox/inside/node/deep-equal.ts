import assert from 'assert/';

/** By the same comparison as `assert.deepStrictEqual`. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepStrictEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
