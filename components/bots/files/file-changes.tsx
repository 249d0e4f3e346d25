'use client';
import { useMemo, useState } from 'react';
import { compareFiles } from '#lib/client/bots/files/compare-files.ts';
import type { Files } from '#lib/client/bots/files/program.ts';
import { LazyDiff } from '../life/lazy-diff.tsx';
import { ChangedFiles } from './changed-files.tsx';

export type FileChangesProps = {
  /** Names what is shown to assistive technology. */
  label: string;
  before: Files;
  after: Files;
};

/** What became of a bot in another of its kind: which files, and the difference of each; of one file its difference alone. */
export function FileChanges({ label, before, after }: FileChangesProps) {
  const changes = useMemo(() => compareFiles(before, after), [before, after]);
  const [chosen, setChosen] = useState<string>();
  const shown = changes.find(({ filename }) => filename === chosen) ?? changes[0];
  const isOne = before.all.length === 1 && after.all.length === 1 && before.entry === after.entry;
  return (
    <div className="flex flex-col gap-3">
      {before.entry === after.entry ? null : (
        <p>
          The handler is in <code className="font-mono text-[0.8125rem]">{after.entry}</code>, and was in{' '}
          <code className="font-mono text-[0.8125rem]">{before.entry}</code>.
        </p>
      )}
      {shown ? (
        <>
          {isOne ? null : (
            <ChangedFiles label="Files that differ" changes={changes} shown={shown.filename} onShow={setChosen} />
          )}
          <div className="max-h-[60dvh] overflow-auto rounded-lg border border-line">
            <LazyDiff label={isOne ? label : `${label}, ${shown.filename}`} before={shown.before} after={shown.after} />
          </div>
        </>
      ) : before.entry === after.entry ? (
        <p className="text-muted">Their code is the same.</p>
      ) : null}
    </div>
  );
}
