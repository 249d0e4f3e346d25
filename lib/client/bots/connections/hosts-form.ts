import type { Bot } from '#lib/protocol/fhir/types.ts';

/** `hosts`: one in each line. */
export type HostsForm = { kind: 'inherit' | 'list' | 'none'; hosts: string };

/** In a list by itself: no host at all (protocol/bots/allowed-hosts.ts). */
const NONE = 'none';

export function toHostsForm({ allowedHost }: Pick<Bot, 'allowedHost'>): HostsForm {
  if (!allowedHost || allowedHost.length === 0) return { kind: 'inherit', hosts: '' };
  const isNone = allowedHost.length === 1 && allowedHost[0] === NONE;
  return isNone ? { kind: 'none', hosts: '' } : { kind: 'list', hosts: allowedHost.join('\n') };
}

/** The same as a Bot has it. */
export function toHosts({ kind, hosts }: HostsForm): Pick<Bot, 'allowedHost'> {
  if (kind === 'none') return { allowedHost: [NONE] };
  const list = hosts.split(/[\s,]+/).filter(Boolean);
  return { allowedHost: kind === 'list' && list.length > 0 ? list : undefined };
}
