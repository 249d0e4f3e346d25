import { methods } from '#lib/http/door/api-route.ts';

/** Batch, transaction and search over all types are not here yet: 405 for everything. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({});
