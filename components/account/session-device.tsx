import { Laptop, Smartphone } from 'lucide-react';

export type SessionAgent = { browser?: string; os?: string };

export function SessionDevice({ os }: SessionAgent) {
  const Icon = os === 'Android' || os === 'iOS' ? Smartphone : Laptop;
  return (
    <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-sunken text-muted">
      <Icon className="size-4.5" aria-hidden="true" />
    </span>
  );
}

/** "Chrome on macOS"; '' for a program that does not say what it is. */
export function toAgentName({ browser, os }: SessionAgent): string {
  return [browser, os].filter(Boolean).join(' on ');
}

/** As its person calls it, else as it calls itself. */
export function toDeviceName({ name, ...agent }: SessionAgent & { name: string | null }): string {
  return name ?? (toAgentName(agent) || 'A program');
}
