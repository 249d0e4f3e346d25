import { codeSet } from '../structures.ts';
import { type Check, fail } from './check-context.ts';

type Coding = { system?: unknown; code?: unknown };

/** The required binding of a CodeableConcept or a Coding: one of its codings stands in the set. Undefined for other types. */
export function codedCheck(type: string, codes: string | undefined): Check | undefined {
  const set = codes === undefined ? undefined : codeSet(codes);
  if (!set || (type !== 'CodeableConcept' && type !== 'Coding')) return undefined;
  const isListed = ({ system, code }: Coding): boolean =>
    typeof code === 'string' && set.codes.has(code) && (set.system === undefined || system === set.system);
  return (value, context) => {
    const { coding } = (value ?? {}) as { coding?: unknown };
    const codings = type === 'Coding' ? [value] : Array.isArray(coding) ? coding : [];
    if (codings.some((item) => isListed((item ?? {}) as Coding))) return;
    fail(context, 'code-invalid', `Needs one of the allowed codes${set.system ? `, of ${set.system}` : ''}`);
  };
}
