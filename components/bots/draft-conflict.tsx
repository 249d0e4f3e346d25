'use client';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { LazyCode } from './lazy-code.tsx';
import type { BotEditor } from './use-bot-editor.ts';

/** Two people saved: both texts side by side, and neither is lost before one is chosen. */
export function DraftConflict({ editor }: { editor: BotEditor }) {
  const { conflict, code } = editor;
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
      <div className="grid gap-4 md:grid-cols-2">
        <Side title="Yours" code={code} />
        <Side title="Saved meanwhile" code={conflict.code} />
      </div>
    </Dialog>
  );
}

function Side({ title, code }: { title: string; code: string }) {
  return (
    <section aria-label={title} className="min-w-0">
      <h3 className="mb-2 font-medium">{title}</h3>
      <div className="h-[50dvh] overflow-hidden rounded-lg border border-line bg-surface">
        <LazyCode label={title} code={code} />
      </div>
    </section>
  );
}
