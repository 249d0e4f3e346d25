import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import type { ToldRule } from '#lib/protocol/explain/explanation.ts';

type Props = { rules: readonly ToldRule[]; deciding: number | null; more: number };

/** The rules that speak of the type, in their order, and the one that decided. */
export function Rules({ rules, deciding, more }: Props) {
  return (
    <div>
      <h2 className="mb-2 font-medium">Rules of this type</h2>
      <Card>
        <ol aria-label="Rules" className="divide-y divide-line">
          {rules.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a rule is its place
            <li key={at} className="flex flex-col gap-1 px-4 py-3 text-sm">
              <span className="flex flex-wrap items-center gap-2">
                <span className="font-medium [overflow-wrap:anywhere]">{nameOf(rule)}</span>
                {at === deciding ? <Badge tone="accent">Decided</Badge> : null}
                {rule.covers ? null : <Badge>Not for this interaction</Badge>}
                {rule.covers && rule.holds === false ? <Badge>Not of this record</Badge> : null}
              </span>
              <span className="text-muted [overflow-wrap:anywhere]">{rule.text}</span>
            </li>
          ))}
          {rules.length === 0 ? <li className="p-4 text-muted">None.</li> : null}
        </ol>
      </Card>
      {more > 0 ? <p className="mt-2 text-muted text-sm">And {more} more.</p> : null}
    </div>
  );
}

function nameOf({ policy, index }: ToldRule): string {
  if (!policy) return 'With the membership';
  return `${policy.display ?? policy.reference ?? 'Draft'}, rule ${(index ?? 0) + 1}`;
}
