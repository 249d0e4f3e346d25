'use client';
import { useMemo } from 'react';
import { compareHl7, MOST_COMPARED } from '#lib/client/bots/hl7/compare.ts';
import { useHl7Names } from '#lib/client/bots/hl7/names.ts';

/** More than anybody reads, and as many as a page shows at once. */
const MOST_SHOWN = 500;

/** What of an HL7 v2 answer is not as it was in the run before, field by field. */
export function Hl7Changes({ before, after }: { before: string; after: string }) {
  const names = useHl7Names();
  const { changes, isCut } = useMemo(() => compareHl7(before, after), [before, after]);
  const first = `the first ${MOST_COMPARED.toLocaleString('en')} segments`;
  if (changes.length === 0)
    return (
      <p className="p-4 text-muted">
        {isCut
          ? `In ${first} the same as the run before, field by field. What is behind was not compared.`
          : 'The same as the run before, field by field.'}
      </p>
    );
  const more = changes.length - MOST_SHOWN;
  const left = [
    more > 0 ? `${more.toLocaleString('en')} more fields differ than are shown.` : '',
    isCut ? `Only ${first} of each were compared.` : '',
  ].join(' ');
  return (
    <>
      <ul
        aria-label="Changes since the run before"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
        tabIndex={0}
        className="min-h-0 flex-1 divide-y divide-line overflow-auto text-xs focus-visible:-outline-offset-2"
      >
        {changes.slice(0, MOST_SHOWN).map(({ key, path, before: was, after: is }) => (
          <li key={key} className="px-4 py-2">
            <p>
              <code className="font-medium font-mono">{path}</code>{' '}
              <span className="text-muted">{nameOf(names, path)}</span>
            </p>
            <Side sign="−" word="was" value={was} />
            <Side sign="+" word="is" value={is} />
          </li>
        ))}
      </ul>
      {left.trim() ? <p className="shrink-0 border-line border-t px-4 py-1.5 text-muted text-xs">{left}</p> : null}
    </>
  );
}

function Side({ sign, word, value }: { sign: string; word: string; value: string | undefined }) {
  if (value === undefined) return null;
  return (
    <p className="flex gap-2 font-mono">
      <span aria-hidden="true" className={sign === '+' ? 'text-good-text' : 'text-danger-text'}>
        {sign}
      </span>
      <span className="sr-only">{word}</span>
      <span className="min-w-0 break-all">{value}</span>
    </p>
  );
}

function nameOf(names: ReturnType<typeof useHl7Names>, path: string): string | undefined {
  const [, segment = '', field] = /^(\w+)(?:\[\d+\])?-(\d+)/.exec(path) ?? [];
  return names?.(segment, Number(field));
}
