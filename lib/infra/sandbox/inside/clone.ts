import { deserialize, serialize } from '@ungap/structured-clone';

/** The package's default export would ask first whether there is a `structuredClone`, which is this one, still being loaded. */
export function structuredClone<T>(value: T): T {
  return deserialize(serialize(value)) as T;
}
