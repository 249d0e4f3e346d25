/** GET /admin/projects/{id}/members/{id}/invite: how an invitation stands, and what became of its mail. Times are instants. */
export type MemberInvite = {
  /** `none`: there was no link. `revoked`: the last one was replaced or the member removed. */
  state: 'accepted' | 'pending' | 'expired' | 'revoked' | 'none';
  link?: { createdAt: string; expiresAt: string; openedAt?: string; usedAt?: string };
  /** Newest first. */
  mail: {
    id: string;
    template: string;
    state: string;
    attempts: number;
    error?: string;
    createdAt: string;
    sentAt?: string;
  }[];
};
