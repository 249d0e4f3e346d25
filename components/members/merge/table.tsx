'use client';
import { cn } from '#components/ui/cn.ts';
import { type MemberConflict, type MergeField, type MergePicks, pickOf, toWords } from './merge-member.ts';

export type MergeTableProps = MemberConflict & {
  /** Where the two sides differ. */
  fields: readonly MergeField[];
  picks: MergePicks;
  onPick: (picks: MergePicks) => void;
  /** Name of a policy by its reference. */
  policyNames: Map<string, string>;
};

/** Yours and theirs, field by field, and the result of the choice. */
export function MergeTable({ base, change, theirs, fields, picks, onPick, policyNames }: MergeTableProps) {
  const sides = { yours: { ...base, ...change }, theirs };
  const pick = (field: MergeField) => pickOf(field, change, picks);
  return (
    <table className="mt-2 w-full table-fixed text-left">
      <thead className="text-muted text-xs">
        <tr>
          <th scope="col" className="w-24 py-2 font-medium">
            <span className="sr-only">Field</span>
          </th>
          <th scope="col" className="py-2 font-medium">
            Yours
          </th>
          <th scope="col" className="py-2 font-medium">
            Theirs
          </th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field} className="border-line border-t">
            <th scope="row" className="py-2 pr-3 align-top font-medium">
              {toWords(field)}
            </th>
            {(['yours', 'theirs'] as const).map((side) => (
              <td key={side} className="py-2 pr-2 align-top">
                <label
                  className={cn(
                    'flex gap-2 rounded-lg border border-line px-3 py-2',
                    pick(field) === side && 'border-accent bg-accent-soft',
                  )}
                >
                  <input
                    type="radio"
                    name={field}
                    checked={pick(field) === side}
                    onChange={() => onPick({ ...picks, [field]: side })}
                    className="mt-0.5 accent-accent"
                  />
                  <span className="min-w-0 break-words">{toWords(field, sides[side], policyNames)}</span>
                </label>
              </td>
            ))}
          </tr>
        ))}
        <tr className="border-line border-t">
          <th scope="row" className="py-3 pr-3 align-top font-medium">
            Result
          </th>
          <td colSpan={2} className="py-3">
            {fields.map((field) => toWords(field, sides[pick(field)], policyNames)).join(' · ')}
          </td>
        </tr>
      </tbody>
    </table>
  );
}
