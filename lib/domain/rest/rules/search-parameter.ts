import { settleParams } from '../../store/own-params/settle-params.ts';
import type { TypeRule } from '../type-rule.ts';

/** An active one is a search parameter of the project: what it says is understood, or refused. */
export const searchParameterRule: TypeRule = {
  changed: settleParams,
};
