/** What somebody has changed of a form, and what stood there when they began to. */
export type PartDraft<Form extends object> = { changed: Partial<Form>; base: Partial<Form> };

export function changePart<Form extends object>(
  draft: PartDraft<Form> | undefined,
  stored: Form,
  part: Partial<Form>,
): PartDraft<Form> | undefined {
  const names = Object.keys(part) as (keyof Form)[];
  const began = Object.fromEntries(names.map((name) => [name, stored[name]])) as Partial<Form>;
  const all = { changed: { ...draft?.changed, ...part }, base: { ...began, ...draft?.base } };
  // What is again as it was is changed by nobody here.
  const kept = (Object.keys(all.changed) as (keyof Form)[]).filter((name) =>
    differs(all.changed[name], all.base[name]),
  );
  const only = (of: Partial<Form>) => Object.fromEntries(kept.map((name) => [name, of[name]])) as Partial<Form>;
  return kept.length > 0 ? { changed: only(all.changed), base: only(all.base) } : undefined;
}

/** What nobody has changed here is as it is stored by now. */
export function withPart<Form extends object>(stored: Form, draft: PartDraft<Form> | undefined): Form {
  return { ...stored, ...draft?.changed };
}

/** Whether somebody else has changed meanwhile what is changed here, to something else. */
export function isOvertaken<Form extends object>(stored: Form, { changed, base }: PartDraft<Form>): boolean {
  return (Object.keys(changed) as (keyof Form)[]).some(
    (name) => differs(stored[name], base[name]) && differs(stored[name], changed[name]),
  );
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
