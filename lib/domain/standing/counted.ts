/** By what memberships are counted, beside the type of their profile. */
export const KINDS = 'active, admin, invite_status, limited';
const KEY = `project_id, profile_type, ${KINDS}, slot`;

/** Of two connections in one slot, the second waits for the first one's commit. More slots are more rows to add up. */
const SLOTS = 32;

/**
 * What counts the memberships, for the very statement that changes them (no trigger: those are not for a distributed PostgreSQL).
 * `changes`: rows of membership_key with `n`, 1 for what is there now and -1 for what was. In one order, as whoever locks several does.
 */
export function counted(changes: string): string {
  return `insert into member_count as c (${KEY}, n)
    select project_id, split_part(profile_ref, '/', 1), ${KINDS}, pg_backend_pid() & ${SLOTS - 1}, sum(n)::int from (${changes}) as d
    group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0 order by 1, 2, 3, 4, 5, 6
    on conflict (${KEY}) do update set n = c.n + excluded.n`;
}

/** The columns of membership_key that `counted` reads, but for those that a statement changes. */
export const COUNTED_COLUMNS = `project_id, profile_ref, ${KINDS}`;
