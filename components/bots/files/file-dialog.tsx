'use client';
import { useId, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { contentOf, nameProblem, withFile, withName, without } from '#lib/client/bots/files/program.ts';
import type { BotEditor } from '../code/use-bot-editor.ts';
import { focusTree } from './focus-tree.ts';

export type Doing = { what: 'add' | 'rename' | 'delete'; name: string };

export type FileDialogProps = { editor: BotEditor; doing: Doing; onClose: () => void };

/** What of a file has to be asked: the name of a new one, another name, whether one that has content goes. */
export function FileDialog({ editor, doing: { what, name }, onClose }: FileDialogProps) {
  if (what !== 'delete')
    return <NameDialog editor={editor} from={what === 'add' ? undefined : name} onClose={onClose} />;
  const lines = (contentOf(editor.files, name) ?? '').trimEnd().split('\n').length;
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      confirm={`Delete ${name}`}
      danger
      onConfirm={async () => {
        editor.change(without(editor.files, name));
        focusTree();
      }}
      onClose={onClose}
    >
      <p>
        It has <strong>{lines === 1 ? 'one line' : `${lines} lines`}</strong>. Versions that were deployed with it keep
        it; the draft loses it when it is saved.
      </p>
    </ConfirmDialog>
  );
}

type NameDialogProps = { editor: BotEditor; from: string | undefined; onClose: () => void };

function NameDialog({ editor, from, onClose }: NameDialogProps) {
  const { files } = editor;
  const formId = useId();
  const [name, setName] = useState(from ?? '');
  const [touched, setTouched] = useState(false);
  const problem = nameProblem(files, name.trim(), from);
  const submit = () => {
    setTouched(true);
    if (problem) return;
    const to = name.trim();
    onClose();
    if (from === undefined) {
      editor.change(withFile(files, to));
      // One writes at once; the dialog gives the focus back before.
      requestAnimationFrame(() => editor.show({ file: to, line: 1, column: 1, text: '' }));
    } else if (to !== from) {
      editor.change(withName(files, from, to));
      if (editor.active === from) editor.open(to);
      focusTree();
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={from === undefined ? 'New file' : `Rename or move ${from}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} variant="primary">
            {from === undefined ? 'Add the file' : 'Rename'}
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        busy={false}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Name"
          description={
            from === undefined
              ? 'With its folders, as lib/dates.ts. Others import it by its place: ./lib/dates'
              : 'With its folders: another one moves it. Imports of it stay as they are, and are shown where they are wrong.'
          }
          error={touched ? problem : undefined}
        >
          <Input
            value={name}
            onChange={(event) => {
              setName(event.target.value);
              setTouched(true);
            }}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
      </Form>
    </Dialog>
  );
}
