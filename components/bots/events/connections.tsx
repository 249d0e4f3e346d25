'use client';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';
import { AttemptsCard } from './attempts-card.tsx';
import { BouncesCard } from './bounces-card.tsx';
import { HostsCard } from './hosts-card.tsx';
import { OperationsCard } from './operations-card.tsx';
import { ScheduleCard } from './schedule-card.tsx';
import { WebhookCard } from './webhook-card.tsx';

/** What runs a bot beside a call, and which servers it may call itself; each is saved alone. */
export function Connections({ projectId, bot }: { projectId: string; bot: Stored<Bot> }) {
  return (
    <div className="flex max-w-3xl flex-col gap-4">
      <ScheduleCard projectId={projectId} bot={bot} />
      <WebhookCard projectId={projectId} bot={bot} />
      <BouncesCard projectId={projectId} botId={bot.id} />
      <OperationsCard projectId={projectId} botId={bot.id} />
      <AttemptsCard projectId={projectId} bot={bot} />
      <HostsCard projectId={projectId} bot={bot} />
    </div>
  );
}
