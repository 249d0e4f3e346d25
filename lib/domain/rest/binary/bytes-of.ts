import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Held, hold } from '../../bytes/held.ts';

/** Goes with a resource through a change, and is in no JSON. */
const BYTES = Symbol('bytes');

type WithBytes = { [BYTES]?: Held };

export function withBytes<R extends object>(resource: R, held: Held): R {
  return { ...resource, [BYTES]: held };
}

/** What came with it: as a stream, or as its `data`. */
export function bytesOf(resource: Resource): Held | undefined {
  const { data } = resource as { data?: string };
  return (resource as WithBytes)[BYTES] ?? (data === undefined ? undefined : hold(Buffer.from(data, 'base64')));
}
