'use client';
import { LazyDiff } from '#components/bots/life/lazy-diff.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { PolicyEditor } from './editor/use-policy-editor.ts';

/** Two people saved: what the other has changed, before either text is given up. */
export function PolicyConflict({ editor }: { editor: PolicyEditor }) {
  const { conflict } = editor;
  if (!conflict) return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || editor.closeConflict()}
      className="max-w-3xl"
      title="Someone else changed this policy"
      description="It changed since you began, as marked below. Nothing was overwritten: choose which text stays."
      footer={
        <>
          <Button onClick={editor.closeConflict}>Keep editing</Button>
          <Button onClick={editor.takeTheirs}>Take theirs</Button>
          <Button variant="primary" busy={editor.busy} onClick={() => void editor.keepMine()}>
            Overwrite with mine
          </Button>
        </>
      }
    >
      <div className="h-[50dvh] overflow-auto rounded-lg border border-line">
        <LazyDiff label="What the other has changed" before={conflict.before} after={conflict.theirs} />
      </div>
    </Dialog>
  );
}
