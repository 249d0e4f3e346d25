import type { TypeRule } from '../type-rule.ts';

const TEXT = 'Links are made and spent by /auth/resetpassword and /auth/setpassword';

export const securityRequestRule: TypeRule = { closed: { create: TEXT, update: TEXT, delete: TEXT } };
