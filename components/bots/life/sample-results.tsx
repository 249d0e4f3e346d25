import { CircleCheck, CircleX } from 'lucide-react';
import type { SampleDifference, SampleResult } from '#lib/protocol/bots/samples.ts';

/** How each sample did, and where it was otherwise than expected. */
export function SampleResults({ results }: { results: readonly SampleResult[] }) {
  return (
    <ul aria-label="Samples" className="divide-y divide-line rounded-lg border border-line">
      {results.map(({ id, name, ok, problem, differences, durationMs }) => (
        <li key={id} className="px-3 py-2">
          <p className="flex flex-wrap items-center gap-2">
            {ok ? (
              <CircleCheck className="size-4 text-good-text" aria-hidden="true" />
            ) : (
              <CircleX className="size-4 text-danger-text" aria-hidden="true" />
            )}
            <span className="min-w-0 flex-1 font-medium">{name}</span>
            <span className="text-muted text-xs">{ok ? `As expected, ${durationMs} ms` : 'Not as expected'}</span>
          </p>
          {problem ? <p className="mt-1 pl-6 text-danger-text">{problem}</p> : null}
          {differences.length > 0 ? (
            <ul className="mt-1 flex flex-col gap-1 pl-6 text-[0.8125rem]">
              {differences.map((difference) => (
                <li key={difference.at}>
                  <code className="font-mono">{difference.at}</code>: {toText(difference)}
                </li>
              ))}
            </ul>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function toText({ expected, found }: SampleDifference): string {
  return `expected ${brief(expected)}, found ${brief(found)}`;
}

function brief(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
