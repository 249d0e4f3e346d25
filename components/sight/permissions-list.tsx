'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { Alert } from '#components/ui/feedback/alert.tsx';
import type { Extent, GrantingRule, Permissions, TypePermissions } from '#lib/protocol/policies/answers.ts';
import { joined, recordsOf } from '#lib/protocol/policies/rule-words.ts';

/** In the order in which one asks. */
const COLUMNS = ['read', 'search', 'create', 'update', 'delete'] as const;
const NAMES = { read: 'Read', search: 'Search', create: 'Create', update: 'Change', delete: 'Delete' };
const EXTENTS: Record<Extent, string> = { all: 'All', some: 'Some', none: 'No' };

/** Types that are shown before all are wanted: default policies name a hundred. */
const FIRST_TYPES = 6;

/** What may be done, type by type, and below each type the rules in words. `who` may: "You", or a name. */
export function PermissionsList({ permissions, who }: { permissions: Permissions; who: string }) {
  const { state, isUnlimited, isPlaced, writesInto, types, idle, left } = permissions;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? types : types.slice(0, FIRST_TYPES);
  if (state === 'broken') {
    return (
      <Alert tone="warn">
        A policy is named that is not there, or the rules come to more than a member may have: nothing may be done until
        that is mended.
      </Alert>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {state === 'closed' ? <Alert>This membership is not entered now; this is what it would allow.</Alert> : null}
      {isUnlimited ? <p className="text-muted">No policy limits what may be done with records.</p> : null}
      {isPlaced ? <p className="text-muted">Only from the addresses that the policies say.</p> : null}
      {writesInto?.length ? (
        <p className="text-muted [overflow-wrap:anywhere]">What is written belongs to {joined(writesInto, 'and')}.</p>
      ) : null}
      <ul className="divide-y divide-line">
        {shown.map((type) => (
          <TypeRow key={type.type} type={type} who={who} />
        ))}
      </ul>
      {types.length > FIRST_TYPES ? (
        <Button size="sm" className="self-start" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer types' : `Show all ${types.length} types`}
        </Button>
      ) : null}
      {types.length === 0 ? <p className="text-muted">{who} may do nothing with records.</p> : null}
      {idle.length > 0 ? (
        <details>
          <summary className="w-fit font-medium text-muted text-sm hover:text-ink">
            {idle.length === 1 ? 'One rule grants nothing' : `${idle.length} rules grant nothing`}
          </summary>
          <ul className="mt-2 flex flex-col gap-1 text-muted text-sm [overflow-wrap:anywhere]">
            {idle.map(({ policy, index, text }) => (
              <li key={`${policy?.reference} ${index}`}>
                Rule {(index ?? 0) + 1} of {policy?.display ?? policy?.reference}: {text}. A variable has no value, or
                it cannot be judged.
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {left > 0 ? <p className="text-muted text-sm">{left.toLocaleString('en')} more rules are not shown.</p> : null}
    </div>
  );
}

function TypeRow({ type: { type, interactions, rules }, who }: { type: TypePermissions; who: string }) {
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1.5">
        <h3 className="font-medium">{type === '*' ? 'Every other type' : type}</h3>
        <dl className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
          {COLUMNS.map((each) => (
            <div key={each} className="flex gap-1">
              <dt className="text-muted">{NAMES[each]}</dt>
              <dd className={cn('font-medium', extentClass(interactions[each] ?? 'none'))}>
                {EXTENTS[interactions[each] ?? 'none']}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <ul className="flex flex-col gap-1 text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
        {[...new Set(rules.map((rule) => toSentence(rule, type, who)))].map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </li>
  );
}

/** A rule of every type is here about one: on one's own page, where rules have no names, it may say what another one says. */
function toSentence({ text, policy, index }: GrantingRule, type: string, who: string): string {
  const told = type === '*' ? text : text.replace(recordsOf('*'), recordsOf(type));
  const from = policy ? ` (rule ${(index ?? 0) + 1} of ${policy.display ?? policy.reference})` : '';
  return `${who} may ${told}${from}.`;
}

function extentClass(extent: Extent): string {
  if (extent === 'all') return 'text-good-text';
  return extent === 'some' ? 'text-warn-text' : 'text-muted';
}
