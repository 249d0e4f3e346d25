'use client';
import { useMemo, useState } from 'react';
import { compareFiles } from '#lib/client/bots/files/compare-files.ts';
import type { Files } from '#lib/client/bots/files/program.ts';
import { CodeSides } from '../code/code-sides.tsx';
import { ChangedFiles } from './changed-files.tsx';

type Side = { title: string; files: Files };
export type FileSidesProps = { left: Side; right: Side };

/** Two states of a bot side by side, to choose between: of many files those that differ, one at a time. */
export function FileSides({ left, right }: FileSidesProps) {
  const changes = useMemo(() => compareFiles(left.files, right.files), [left.files, right.files]);
  const [chosen, setChosen] = useState<string>();
  const shown = changes.find(({ filename }) => filename === chosen) ?? changes[0];
  const isOne = left.files.all.length === 1 && right.files.all.length === 1 && left.files.entry === right.files.entry;
  if (!shown) {
    return (
      <p className="text-muted">
        Their files are the same; the handler is in {left.files.entry} on one side, in {right.files.entry} on the other.
      </p>
    );
  }
  const titleOf = ({ title }: Side, isThere: boolean) => {
    if (isOne) return title;
    return isThere ? `${title}: ${shown.filename}` : `${title}: without ${shown.filename}`;
  };
  return (
    <div className="flex flex-col gap-4">
      {isOne ? null : (
        <ChangedFiles
          label={`From “${left.title}” to “${right.title}”`}
          changes={changes}
          shown={shown.filename}
          onShow={setChosen}
        />
      )}
      <CodeSides
        key={shown.filename}
        sides={[
          { title: titleOf(left, shown.kind !== 'added'), code: shown.before },
          { title: titleOf(right, shown.kind !== 'removed'), code: shown.after },
        ]}
      />
    </div>
  );
}
