import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { findLinks, isPlaceholder, type Link } from '#lib/protocol/fhir/find-links.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import type { Step } from './steps.ts';

/** What of a step's resource names another one: by a fullUrl of the Bundle, or by a condition. */
export type Named = { step: Step; link: Link; base: string | undefined };

/** Of the resources of a transaction. As they came: what is written in place of it may be written once more. */
export type Names = {
  /** Every link that must or may be rewritten, by the index of its step. */
  linksOf: Map<number, Named[]>;
  /** Each conditional reference, with the first step that has it. */
  conditional: Map<string, Named>;
};

const HREF = /(\b(?:href|src)\s*=\s*)(["'])([^"']*)\2/g;

/** A name as fullUrl and reference may write it: the letters of a UUID have no case. */
export function toName(text: string): string {
  return isPlaceholder(text) ? text.toLowerCase() : text;
}

/** Where a Bundle came from another server, its relative references mean what stands there (R4 bundle §2.36.4.1). */
function baseOf(fullUrl: string | undefined): string | undefined {
  const [, base] = /^(https?:\/\/.+)\/[A-Z]\w+\/[A-Za-z0-9\-.]{1,64}$/.exec(fullUrl ?? '') ?? [];
  return base === fhirBase() ? undefined : base;
}

export async function findNames(steps: readonly Step[]): Promise<Names> {
  const fullUrls = new Set(steps.flatMap(({ fullUrl }) => (fullUrl === undefined ? [] : [toName(fullUrl)])));
  const turn = takeTurns();
  const names: Names = { linksOf: new Map(), conditional: new Map() };
  for (const step of steps) {
    // Of a JSON Patch it is the bytes of a Binary.
    if (step.resource === undefined || (step.verb === 'patch' && step.resource.resourceType !== 'Parameters')) continue;
    await turn();
    const base = baseOf(step.fullUrl);
    const isName = (text: string) =>
      fullUrls.has(toName(text)) || (base !== undefined && fullUrls.has(`${base}/${text}`));
    const links = findLinks(step.resource, (text, kind) => {
      if (kind === 'narrative') return fullUrls.size > 0 && /\b(?:href|src)\s*=/.test(text);
      return isName(text) || (kind === 'reference' && (isPlaceholder(text) || isConditional(text)));
    });
    const named = links.map((link) => ({ step, link, base }));
    names.linksOf.set(step.index, named);
    for (const one of named) {
      if (one.link.kind === 'reference' && isConditional(one.link.text) && !isName(one.link.text)) {
        if (!names.conditional.has(one.link.text)) names.conditional.set(one.link.text, one);
      }
    }
  }
  return names;
}

/** A name to what it is now, `Type/id`; of a condition, too. */
export type Known = ReadonlyMap<string, string>;

/** Writes into a resource what its links mean (R4 http §3.1.0.11.2). Throws 400 for a placeholder that no entry has, or none before it. */
export function writeLinks(named: readonly Named[], known: Known): void {
  for (const { step, link, base } of named) {
    const { holder, key, text, kind, path } = link;
    const meant = (name: string) =>
      known.get(toName(name)) ?? (base === undefined ? undefined : known.get(`${base}/${name}`));
    if (kind === 'narrative') {
      set(
        holder,
        key,
        text.replace(HREF, (all, before, quote, name) => {
          const found = meant(name);
          return found === undefined ? all : `${before}${quote}${found}${quote}`;
        }),
      );
      continue;
    }
    const found = meant(text);
    if (found === undefined && kind === 'reference' && isPlaceholder(text)) {
      throw new AppError('invalid', `No entry of this transaction is ${text.slice(0, 200)}`, {
        expression: `Bundle.entry[${step.index}].resource${path.replace(/^\w*/, '')}`,
      });
    }
    set(holder, key, found ?? text);
  }
}

function set(holder: Link['holder'], key: Link['key'], value: string): void {
  (holder as Record<string | number, unknown>)[key] = value;
}

function isConditional(text: string): boolean {
  const question = text.indexOf('?');
  return question > 0 && isResourceType(text.slice(0, question));
}
