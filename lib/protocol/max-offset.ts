/** How many rows `_offset` may skip: each is read to be thrown away. Past them only a cursor goes on. */
export const MAX_OFFSET = 10_000;
