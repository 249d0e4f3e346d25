/** A statement of one project that is more than one task, and why it may be. `of`: what its text has, in one line. */
type Exception = { of: RegExp; why: string };

/** Beside what is of no one project (lib/testing/one-project/exceptions.ts) and so asked of all nodes. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    of: /\(select (max|min)\((s\.value|d\.hi|d\.lo)\) from ix_(string|date) \w where \w\.project_id = r\.project_id/,
    why: 'in the order of a parameter that no column holds; the subquery names its project by the row, whose plan is proven (search-order.ts)',
  },
];
