import type { QuantityEntry } from '#lib/protocol/fhir/index/extract-quantities.ts';
import { ownParamsOf, searchParamsOf } from '#lib/protocol/fhir/index/search-params.ts';

const MEASURED = new Set(['number', 'quantity', 'special']);

/** Whether resources of the type may have rows in ix_quantity: by R4's parameters, or by the project's own. */
export function isMeasured(type: string, projectId: string): boolean {
  return isMeasuredByAll(type) || ownParamsOf(type, projectId).some((param) => MEASURED.has(param.type));
}

function isMeasuredByAll(type: string): boolean {
  let found = known.get(type);
  if (found === undefined) {
    found = searchParamsOf(type).some(
      (param) => param.supported && (MEASURED.has(param.type) || param.kind === 'ordered'),
    );
    known.set(type, found);
  }
  return found;
}

const known = new Map<string, boolean>();

/** What the statements take as the rows of ix_quantity. All numbers are texts: JSON has neither infinity nor 64 bits. */
export function toQuantities(rows: readonly { id: string; quantities: readonly QuantityEntry[] }[]): string {
  return JSON.stringify(
    rows.flatMap(({ id, quantities }) =>
      quantities.map(({ param, key, tags, lo, hi, base, baseLo, baseHi }) => ({
        i: id,
        p: param,
        k: String(key),
        t: tags.map(String),
        l: String(lo),
        h: String(hi),
        ...(base === null ? {} : { b: String(base), bl: String(baseLo), bh: String(baseHi) }),
      })),
    ),
  );
}
