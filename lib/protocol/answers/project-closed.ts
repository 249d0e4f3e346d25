/** POST /admin/projects/{id}/close. */
export type ProjectClosed = {
  closed: true;
  /** Until then the link that the owner was mailed opens the project again. */
  reopenUntil?: string;
  /** Then it is removed for good. */
  removeAt?: string;
};
