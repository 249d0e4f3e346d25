import type { TypeRule } from '../type-rule.ts';

/** Their guards (last admin, owner, one per person) and their mail live behind the admin endpoints. */
export const membershipRule: TypeRule = {
  closed: {
    create: 'Memberships are made by POST /admin/projects/{id}/invite',
    update: 'Memberships are changed by PATCH /admin/projects/{id}/members/{membershipId}',
    delete: 'Memberships are removed by DELETE /admin/projects/{id}/members/{membershipId}',
  },
};
