/** What a route answers; the door adds the headers that every answer has. */
export type Reply = {
  status: number;
  body?: string | Uint8Array<ArrayBuffer>;
  contentType?: string;
  headers?: Record<string, string>;
  /** The instant behind `last-modified`, which has whole seconds. */
  lastUpdated?: Date;
};

/** One whose body is made while it is sent (streamed.ts). */
export type StreamedReply = Omit<Reply, 'body'> & {
  body: ReadableStream<Uint8Array>;
  /** As gzip for who takes it. Not of bytes that are asked for by their places. */
  packed?: true;
};

export const JSON_TYPE = 'application/json; charset=utf-8';
/** RFC 7644 §8.1. */
export const SCIM_TYPE = 'application/scim+json; charset=utf-8';
export const FHIR_TYPE = 'application/fhir+json; charset=utf-8';

export function json(value: unknown, status = 200, headers?: Record<string, string>): Reply {
  return { status, body: JSON.stringify(value), contentType: JSON_TYPE, headers };
}

/** `resource` as an object, or as text that is already JSON. */
export function fhir(resource: unknown, status = 200, headers?: Record<string, string>): Reply {
  const body = typeof resource === 'string' ? resource : JSON.stringify(resource);
  return { status, body, contentType: FHIR_TYPE, headers };
}

/** By GET, whatever it was asked by. */
export function redirect(location: string): Reply {
  return { status: 303, headers: { location } };
}
