import type { InviteStatus } from '#lib/protocol/answers/invites.ts';
import type { Row } from '../store/row.ts';

/** `link`: where to set the password, when `returnLink` asked for it. */
export type InviteResult = { row: Row; status: InviteStatus; link?: string };
