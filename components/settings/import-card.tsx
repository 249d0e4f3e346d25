'use client';
import { Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { useMe } from '#lib/client/frame/me.ts';
import type { ProjectImported } from '#lib/protocol/answers/project-imported.ts';
import { SettingsCard } from './settings-card.tsx';

type Outcome = { file: string; failure: string } | { file: string; imported: ProjectImported };

/** For who runs the server: a project that was exported elsewhere, brought here. */
export function ImportCard() {
  const me = useMe();
  const [running, setRunning] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const stopping = useRef<AbortController>(undefined);
  const chooser = useRef<HTMLInputElement>(null);
  useEffect(() => () => stopping.current?.abort(), []);
  if (me.data?.project.superAdmin !== true) return null;

  async function run(file: File) {
    const controller = new AbortController();
    stopping.current = controller;
    setOutcome(undefined);
    setRunning(file.name);
    try {
      const { importProject } = await import('#lib/client/settings/import-project.ts');
      const imported = await importProject(file, controller.signal);
      setOutcome({ file: file.name, imported });
    } catch (error) {
      const failure = error instanceof Error ? error.message : 'Try again.';
      setOutcome({ file: file.name, failure: controller.signal.aborted ? 'It was stopped.' : failure });
    } finally {
      setRunning(undefined);
    }
  }

  return (
    <SettingsCard
      id="import"
      title="Import a project"
      description="A file that a project was exported to, here or on another server. Everything in it comes, or nothing; people are invited, and programs need new secrets."
      busy={running !== undefined}
    >
      <input
        ref={chooser}
        type="file"
        aria-label="File of a project"
        accept=".ndjson,application/x-ndjson"
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file) void run(file);
        }}
      />
      {running ? (
        <div className="flex flex-wrap items-center gap-3">
          <span role="status" className="min-w-0 break-words text-muted text-sm">
            Importing {running}. A large project takes minutes: leave this page open.
          </span>
          <Button onClick={() => stopping.current?.abort()}>Stop the import</Button>
        </div>
      ) : (
        <Button onClick={() => chooser.current?.click()}>
          <Upload aria-hidden="true" />
          Choose a file…
        </Button>
      )}
      {outcome && !running ? <Told outcome={outcome} /> : null}
    </SettingsCard>
  );
}

function some(n: number, one: string, more: string): string {
  return `${n.toLocaleString('en')} ${n === 1 ? one : more}`;
}

function Told({ outcome }: { outcome: Outcome }) {
  if ('failure' in outcome) {
    return (
      <p role="alert" className="mt-4 break-words text-danger-text text-sm">
        {outcome.file} was not imported, and nothing of it was kept. {outcome.failure}
      </p>
    );
  }
  const { project, versions, people, mailed, clients, clientsOff, subscriptionsOff, timedBots, secrets, botSecrets } =
    outcome.imported;
  return (
    <div role="status" className="mt-4 text-sm">
      <p className="break-words">
        <strong>{project.display ?? 'The project'}</strong> is here, with {some(versions, 'version', 'versions')} of its
        resources.
      </p>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-muted">
        <li>
          {some(people, 'person needs', 'people need')} a password.{' '}
          {some(mailed, 'administrator was', 'administrators were')} mailed, and can invite the others.
        </li>
        <li>It has no owner until you name one.</li>
        {clients > 0 ? <li>{some(clients, 'client needs', 'clients need')} a new secret.</li> : null}
        {clientsOff.length > 0 ? (
          <li>
            {some(clientsOff.length, 'client that needs', 'clients that need')} no secret of ours: switched off until
            you have looked.
          </li>
        ) : null}
        {subscriptionsOff > 0 ? (
          <li>{some(subscriptionsOff, 'subscription is', 'subscriptions are')} off until somebody turns them on.</li>
        ) : null}
        {timedBots > 0 ? (
          <li>
            {some(timedBots, 'bot runs at its times', 'bots run at their times')} here from now on: close the project
            there, or turn them off, lest they run twice.
          </li>
        ) : null}
        {secrets.length > 0 ? <li className="break-words">Secrets to set again: {secrets.join(', ')}.</li> : null}
        {botSecrets.length > 0 ? (
          <li className="break-words">
            Secrets of single bots to set again: {[...new Set(botSecrets.map(({ name }) => name))].join(', ')}.
          </li>
        ) : null}
      </ul>
    </div>
  );
}
