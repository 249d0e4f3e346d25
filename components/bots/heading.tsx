'use client';
import { Rocket, Settings2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { Tooltip } from '#components/ui/overlay/tooltip.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';
import type { BotEditor } from './code/use-bot-editor.ts';
import { toIdentifierText } from './facts.ts';
import { LiveBadge } from './runs/run-badge.tsx';

const BotSettings = dynamic(() => import('./settings.tsx').then((module) => module.BotSettings), {
  ssr: false,
  loading: DialogLoading,
});

export type BotHeadingProps = {
  projectId: string;
  bot: Stored<Bot>;
  live: number | null | undefined;
  draft: boolean;
  editor: BotEditor;
  onOpen: (what: 'dry-run' | 'promote') => void;
};

export function BotHeading({ projectId, bot, live, draft, editor, onOpen }: BotHeadingProps) {
  const mod = useModKey();
  const [settings, setSettings] = useState<boolean>();
  const [identifier] = bot.identifier ?? [];
  const address = identifier ? toIdentifierText(identifier) : bot.id;
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2.5">
          <h1 className="font-semibold text-[1.375rem] leading-7 tracking-[-0.02em]">{bot.name ?? 'Unnamed bot'}</h1>
          {live === undefined ? null : <LiveBadge live={live} draft={draft} />}
        </div>
        {bot.description ? <p className="mt-1 max-w-2xl text-muted">{bot.description}</p> : null}
        <p className="mt-1 flex min-h-8 min-w-0 items-center gap-1 text-muted text-xs">
          <span className="shrink-0">{identifier ? 'Identifier' : 'Id'}</span>
          <code className="min-w-0 truncate font-mono">{address}</code>
          <CopyButton value={address} label={`Copy ${identifier ? 'identifier' : 'id'}`} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setSettings(true)}>
          <Settings2 aria-hidden="true" />
          Settings
        </Button>
        {live ? <Button onClick={() => onOpen('promote')}>Promote…</Button> : null}
        <Button disabled={!editor.ready} onClick={() => onOpen('dry-run')}>
          Dry run
        </Button>
        <Tooltip text={`${mod} S`}>
          <Button busy={editor.saving && !editor.deploying} idle={!editor.dirty} onClick={() => void editor.save()}>
            Save draft
          </Button>
        </Tooltip>
        <Button disabled={!editor.ready} idle={editor.deploying} onClick={() => void editor.openReview()}>
          Review…
        </Button>
        <Tooltip text={`${mod} Shift Enter`}>
          <Button
            variant="primary"
            busy={editor.deploying}
            disabled={!editor.ready}
            onClick={() => void editor.deploy()}
          >
            <Rocket aria-hidden="true" />
            Deploy
          </Button>
        </Tooltip>
      </div>
      {settings === undefined ? null : (
        <BotSettings projectId={projectId} bot={bot} open={settings} onOpenChange={setSettings} />
      )}
    </div>
  );
}
