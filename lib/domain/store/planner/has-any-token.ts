import { type SQL, sql } from 'drizzle-orm';

/**
 * That row `r` has one of some tokens that the planner does not know. Of such a list it thinks that a hundredth of all rows fit, and would rather
 * read the whole project's index besides (80 ms instead of 1, in a project of half a million). Of what is asked three times it thinks
 * that hardly any do, and the index looks for each token once all the same.
 */
export function hasAnyToken(tokens: SQL): SQL {
  return sql`r.tokens && ${tokens} and r.tokens && ${tokens} and r.tokens && ${tokens}`;
}
