import { Alert } from '#components/ui/feedback/alert.tsx';
import type { AccessEffect, Counted, GroupEffect, RecordEffect, TypeEffect } from '#lib/protocol/policies/answers.ts';
import { joined } from '#lib/protocol/policies/rule-words.ts';

/** Types of one group that are shown. */
const MOST_TYPES = 30;

/** What saving would do, in words and numbers: who, and of which types how many records. */
export function EffectView({ effect }: { effect: AccessEffect }) {
  return (
    <div className="flex flex-col gap-3">
      {effect.broken > 0 ? (
        <Alert tone="warn">
          {toMembers(effect.broken)} could not come in: a policy of theirs is not there, or their rules would come to
          more than a member may have.
        </Alert>
      ) : null}
      <OfOthers effect={effect} />
    </div>
  );
}

function OfOthers({ effect: { members, groups, left, unchanged, broken } }: { effect: AccessEffect }) {
  if (groups.length === 0) {
    if (unchanged === 0 && broken > 0) return null;
    const whom = unchanged === 0 && members.isExact ? 'Nobody has this policy' : 'Nothing changes for anybody';
    return (
      <Alert>{members.isExact ? `${whom}.` : `${whom} of the first ${unchanged.toLocaleString('en')} members.`}</Alert>
    );
  }
  return (
    <>
      <p role="status" className="font-medium">
        {members.isExact ? '' : 'At least '}
        {toMembers(members.count)} touched
        {unchanged > 0 ? `, ${unchanged.toLocaleString('en')} as before` : ''}.
      </p>
      <ul className="flex flex-col gap-3">
        {groups.map((group) => (
          <li key={group.first[0]?.reference} className="border-line border-t pt-3">
            <Group group={group} />
          </li>
        ))}
      </ul>
      {left > 0 ? (
        <p className="text-muted text-sm">And {toMembers(left)} more, each with changes of their own.</p>
      ) : null}
    </>
  );
}

function Group({ group: { members, first, types, arePlacesChanged, isCompartmentChanged } }: { group: GroupEffect }) {
  const names = first.map(({ display, reference }) => display ?? reference ?? 'Somebody');
  const others = members - names.length;
  return (
    <>
      <h3 className="font-medium text-sm [overflow-wrap:anywhere]">
        {joined([...names, ...(others > 0 ? [`${others.toLocaleString('en')} more`] : [])], 'and')}
      </h3>
      <ul className="mt-1 flex flex-col gap-1 text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
        {types.slice(0, MOST_TYPES).map((type) => (
          <li key={type.type}>
            <span className="font-medium text-ink">{type.type}</span>: {toWords(type)}
          </li>
        ))}
        {types.length > MOST_TYPES ? <li>And {types.length - MOST_TYPES} more types.</li> : null}
        {arePlacesChanged ? <li>From other addresses than before.</li> : null}
        {isCompartmentChanged ? <li>What they write belongs elsewhere than before.</li> : null}
      </ul>
    </>
  );
}

function toWords({ gains, loses, read, change, fields, isConstraintChanged }: TypeEffect): string {
  const parts = [
    ...(gains.length > 0 ? [`may now ${joined(gains, 'and')}`] : []),
    ...(loses.length > 0 ? [`may no longer ${joined(loses, 'and')}`] : []),
    ...(read ? toRecords('read', read) : []),
    ...(change ? toRecords('change', change) : []),
    ...(fields.hides.length > 0 ? [`${joined(fields.hides, 'and')} may be hidden`] : []),
    ...(fields.shows.length > 0 ? [`${joined(fields.shows, 'and')} no longer hidden`] : []),
    ...(fields.fixes.length > 0 ? [`${joined(fields.fixes, 'and')} may be read-only`] : []),
    ...(fields.frees.length > 0 ? [`${joined(fields.frees, 'and')} no longer read-only`] : []),
    ...(isConstraintChanged ? ['other conditions on changes'] : []),
  ];
  return `${parts.length > 0 ? parts.join('; ') : 'other rules, for the same records'}.`;
}

function toRecords(verb: string, { gained, lost }: RecordEffect): string[] {
  if (gained === 0 && lost === 0) return [];
  const both = [
    ...(gained === 0 ? [] : [`${toCount(gained)} more to ${verb}`]),
    ...(lost === 0 ? [] : [`${toCount(lost)} fewer to ${verb}`]),
  ];
  return gained === null && lost === null ? [`records to ${verb} not counted`] : both;
}

function toCount(count: Counted): string {
  return count === null ? '(not counted)' : count.toLocaleString('en');
}

function toMembers(count: number): string {
  return count === 1 ? 'One member' : `${count.toLocaleString('en')} members`;
}
