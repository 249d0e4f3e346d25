import { MOST_PATHS } from '#lib/protocol/bots/sample-paths.ts';
import type { ExpectedValue } from '#lib/protocol/bots/samples.ts';

type Changed = { action: string; target: string };

/**
 * Of what a run gave, what the next one gives, too: whole where nothing of it is new each time, else piece by piece without the ids of what was made, and without
 * when what was changed was written.
 */
export function steadyValues(value: unknown, writes: readonly Changed[]): ExpectedValue[] {
  const made = writes.filter(({ action }) => action === 'create').map(({ target }) => target.split('/')[1] ?? target);
  const changed = new Set(writes.map(({ target }) => target));
  return steady('', value).slice(0, MOST_PATHS);

  function steady(path: string, part: unknown): ExpectedValue[] {
    if (!isNew(part)) return [{ path, value: part as ExpectedValue['value'] }];
    if (Array.isArray(part)) return part.flatMap((one, at) => steady(`${path}[${at}]`, one));
    return isRecord(part) ? each(path, part, isChanged(part)) : [];
  }

  function each(path: string, part: Record<string, unknown>, isResource: boolean): ExpectedValue[] {
    return Object.entries(part).flatMap(([name, one]) => {
      // Of such a name there is no path.
      if (/[.[\]]/.test(name) || name === '') return [];
      const place = path === '' ? name : `${path}.${name}`;
      return isResource && name === 'meta' && isRecord(one)
        ? each(place, withoutVersion(one), false)
        : steady(place, one);
    });
  }

  function isNew(part: unknown): boolean {
    if (typeof part === 'string') return made.some((id) => part.includes(id));
    if (typeof part !== 'object' || part === null) return false;
    return isChanged(part) || Object.values(part).some(isNew);
  }

  function isChanged(part: object): boolean {
    const { resourceType, id, meta } = part as Record<string, unknown>;
    return meta !== undefined && changed.has(`${resourceType}/${id}`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutVersion(meta: Record<string, unknown>): Record<string, unknown> {
  const { lastUpdated: _, versionId: __, ...rest } = meta;
  return rest;
}
