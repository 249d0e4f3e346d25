'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useMe } from '#lib/client/frame/me.ts';
import { signOutHere } from '#lib/client/frame/sign-out.ts';
import { closeProject } from '#lib/client/settings/close-project.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { SettingsCard } from './settings-card.tsx';

/** The owner's: nobody comes in any more, and nothing is lost. Others read whose it is. */
export function CloseCard({ project }: { project: Stored<Project> }) {
  const me = useMe();
  const [asking, setAsking] = useState(false);
  const [remove, setRemove] = useState(false);
  const user = me.data?.membership.user.reference;
  const mayClose = me.data?.project.superAdmin === true || (user !== undefined && user === project.owner?.reference);
  const name = project.name ?? '';
  return (
    <SettingsCard
      id="close"
      title="Close this project"
      description="Nobody signs in any more, and its programs and bots are refused. All data is kept, or removed for good after thirty days."
    >
      {mayClose ? (
        <Button
          variant="danger"
          onClick={() => {
            setRemove(false);
            setAsking(true);
          }}
        >
          Close the project…
        </Button>
      ) : (
        <p className="text-muted">Only the owner of the project can close it.</p>
      )}
      {asking ? (
        <ConfirmDialog
          danger
          title={`Close ${name || 'this project'}?`}
          confirm="Close the project"
          typed={name || undefined}
          onConfirm={async () => {
            await closeProject(project.id, name, remove);
            // The session has ended with all the others.
            await signOutHere();
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            Every session and every token <strong>ends at once</strong>, yours too. For thirty days a link that we mail
            to you opens the project again; after that,{' '}
            {remove ? 'nothing is left of it.' : 'whoever runs this server can.'}
          </p>
          <label htmlFor="remove" className="mt-4 flex items-start gap-2">
            <Checkbox id="remove" checked={remove} onCheckedChange={setRemove} />
            <span>
              Remove the project for good after these thirty days
              <span className="block text-[0.8125rem] text-muted">
                All of its data, its members and its bots. Export it first: once it is closed you cannot.
              </span>
            </span>
          </label>
        </ConfirmDialog>
      ) : null}
    </SettingsCard>
  );
}
