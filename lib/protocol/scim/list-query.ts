import { z } from 'zod';

/** The most Users of a page. */
export const MOST_RESULTS = 200;
const DEFAULT_RESULTS = 100;
/** More people than the largest project has: a directory that imports goes from page to page, and knows no cursor. */
const MOST_SKIPPED = 100_000;
const MOST_NAMES = 50;

const whole = (name: string) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, `${name} must be a whole number`)
    .transform(Number);

/** Names of attributes, with commas between them. */
const names = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  )
  .refine((all) => all.length <= MOST_NAMES, `At most ${MOST_NAMES} attributes`);

const shown = { attributes: names.optional(), excludedAttributes: names.optional() };

/** RFC 7644 §3.9: what of a User is shown. What else stands in the query is passed over. */
export const shownQuery = z.object(shown);
export type Shown = z.output<typeof shownQuery>;

/** RFC 7644 §3.4.2. What lies below the least counts as the least. */
export const listQuery = z.object({
  ...shown,
  filter: z.string().optional(),
  startIndex: whole('startIndex')
    .transform((value) => Math.max(1, value))
    .refine((value) => value <= MOST_SKIPPED + 1, `startIndex must be at most ${MOST_SKIPPED + 1}`)
    .default(1),
  count: whole('count')
    .transform((value) => Math.min(MOST_RESULTS, Math.max(0, value)))
    .default(DEFAULT_RESULTS),
  sortBy: z.string().max(128, 'sortBy is too long').optional(),
  sortOrder: z
    .enum(['ascending', 'descending'], { error: 'sortOrder must be ascending or descending' })
    .default('ascending'),
});
export type ListQuery = z.output<typeof listQuery>;
