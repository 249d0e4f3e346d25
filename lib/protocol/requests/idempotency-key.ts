/** What a caller may call a request that must happen once, in the header or in the body of a bulk job. */
export const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
