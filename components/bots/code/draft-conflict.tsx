'use client';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { toFiles } from '#lib/client/bots/files/program.ts';
import { FileSides } from '../files/file-sides.tsx';
import type { BotEditor } from './use-bot-editor.ts';

/** Two people saved: both drafts side by side, and neither is lost before one is chosen. */
export function DraftConflict({ editor }: { editor: BotEditor }) {
  const { conflict, files } = editor;
  if (!conflict) return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || editor.closeConflict()}
      className="max-w-6xl"
      title="Someone else saved this draft"
      description="It changed since you began. Nothing was overwritten: choose which text stays."
      footer={
        <>
          <Button onClick={editor.closeConflict}>Keep editing</Button>
          <Button onClick={editor.takeTheirs}>Take the saved text</Button>
          <Button variant="primary" onClick={editor.keepMine}>
            Overwrite with mine
          </Button>
        </>
      }
    >
      <FileSides left={{ title: 'Yours', files }} right={{ title: 'Saved meanwhile', files: toFiles(conflict) }} />
    </Dialog>
  );
}
