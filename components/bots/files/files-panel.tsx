'use client';
import { FilePlus2, Flag, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Tooltip } from '#components/ui/overlay/tooltip.tsx';
import { mayBeEntry } from '#lib/client/bots/files/program.ts';
import type { BotEditor } from '../code/use-bot-editor.ts';
import type { Doing } from './file-dialog.tsx';
import { FileTree } from './file-tree.tsx';
import { focusTree } from './focus-tree.ts';

export type FilesPanelProps = {
  editor: BotEditor;
  problems: Record<string, number>;
  onDo: (doing: Doing) => void;
};

/** The files of a bot that is many, and what can be done with the one that is open. */
export function FilesPanel({ editor, problems, onDo }: FilesPanelProps) {
  const { files, active } = editor;
  const isEntry = active === files.entry;
  const remove = (name: string) => {
    if (name !== files.entry) return onDo({ what: 'delete', name });
    toast({ tone: 'danger', title: `${name} is the entry point`, description: 'Make another file that first.' });
  };
  return (
    <>
      <div className="flex h-10 shrink-0 items-center gap-0.5 border-line border-b pr-1 pl-3">
        <h3 className="mr-auto font-medium text-xs">{files.all.length} files</h3>
        <Act label="New file" onPress={() => onDo({ what: 'add', name: '' })}>
          <FilePlus2 aria-hidden="true" />
        </Act>
        <Act label={`Rename or move ${active}`} tip="F2" onPress={() => onDo({ what: 'rename', name: active })}>
          <Pencil aria-hidden="true" />
        </Act>
        <Act
          label={`Make ${active} the entry point`}
          disabled={isEntry || !mayBeEntry(active)}
          onPress={() => {
            editor.change({ ...files, entry: active });
            toast({ title: `${active} is the entry point`, description: 'The handler is looked for there.' });
            // What was pressed can be pressed no more.
            focusTree();
          }}
        >
          <Flag aria-hidden="true" />
        </Act>
        <Act label={`Delete ${active}`} tip="Delete" disabled={isEntry} onPress={() => remove(active)}>
          <Trash2 aria-hidden="true" />
        </Act>
      </div>
      <FileTree
        names={files.all.map(({ filename }) => filename)}
        entry={files.entry}
        active={active}
        problems={problems}
        onOpen={editor.open}
        onRename={(name) => onDo({ what: 'rename', name })}
        onDelete={remove}
      />
    </>
  );
}

type ActProps = { label: string; tip?: string; disabled?: boolean; onPress: () => void; children: ReactNode };

function Act({ label, tip, disabled, onPress, children }: ActProps) {
  return (
    <Tooltip text={tip ? `${label} (${tip})` : label}>
      <Button size="icon-sm" variant="ghost" aria-label={label} disabled={disabled} onClick={onPress}>
        {children}
      </Button>
    </Tooltip>
  );
}
