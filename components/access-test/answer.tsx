import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import type { Conjunct, Explanation } from '#lib/protocol/explain/explanation.ts';
import { Rules } from './rules.tsx';

const TITLES = { allow: 'Allowed', deny: 'Refused', some: 'Allowed for some', rows: 'Allowed' } as const;
const TONES = { allow: 'good', deny: 'warn', some: 'info', rows: 'info' } as const;

/** The answer in words, why, what is taken out of the records, and which of a search are seen. */
export function Answer({ explanation }: { explanation: Explanation }) {
  const { outcome, status, text, conjuncts, rules, rule, more, hidden, readonly, constraints, rows } = explanation;
  const { writesInto } = explanation;
  return (
    <section aria-label="Answer" className="flex flex-col gap-4">
      <Alert tone={TONES[outcome]} title={`${TITLES[outcome]} (${status})`}>
        {text}
      </Alert>
      <Card>
        <ul aria-label="What must be so" className="divide-y divide-line">
          {conjuncts.map((conjunct) => (
            <Condition key={conjunct.name} conjunct={conjunct} />
          ))}
        </ul>
      </Card>
      {constraints.length > 0 ? (
        <Listed title="Constraints that are not true" items={constraints.map(({ expression }) => expression)} />
      ) : null}
      {hidden.length > 0 ? <Listed title="Fields left out" items={hidden} /> : null}
      {readonly.length > 0 ? <Listed title="Fields that stay as they are" items={readonly} /> : null}
      {writesInto.length > 0 ? <Listed title="It is put into the compartments of" items={writesInto} /> : null}
      <Rules rules={rules} deciding={rule} more={more} />
      {rows ? <Rows rows={rows} /> : null}
    </section>
  );
}

function Condition({ conjunct: { isMet, text } }: { conjunct: Conjunct }) {
  const tone = isMet === null ? 'neutral' : isMet ? 'good' : 'danger';
  return (
    <li className="flex items-start gap-3 px-4 py-3 text-sm">
      <Badge tone={tone} className="shrink-0">
        {isMet === null ? 'Not asked' : isMet ? 'Yes' : 'No'}
      </Badge>
      <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
    </li>
  );
}

function Listed({ title, items }: { title: string; items: readonly string[] }) {
  return (
    <div className="text-sm">
      <h2 className="mb-1 font-medium">{title}</h2>
      <p className="text-muted [overflow-wrap:anywhere]">{items.join(', ')}</p>
    </div>
  );
}

function Rows({ rows }: { rows: NonNullable<Explanation['rows']> }) {
  return (
    <div>
      <h2 className="mb-2 font-medium">
        {rows.filter(({ isSeen }) => isSeen).length} of {rows.length} records are seen
      </h2>
      <Card>
        <ul aria-label="Records" className="divide-y divide-line">
          {rows.map(({ reference, isSeen, hidden }) => (
            <li key={reference} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 text-sm">
              <Badge tone={isSeen ? 'good' : 'neutral'}>{isSeen ? 'Seen' : 'Not seen'}</Badge>
              <span className="min-w-0 font-mono text-xs [overflow-wrap:anywhere]">{reference}</span>
              {hidden.length > 0 ? <span className="text-muted">without {hidden.join(', ')}</span> : null}
            </li>
          ))}
          {rows.length === 0 ? <li className="p-4 text-muted">The search finds none.</li> : null}
        </ul>
      </Card>
    </div>
  );
}
