/** What somebody has changed of a form, and what stood there when they began to. */
export type PartDraft<Form extends object> = { changed: Partial<Form>; base: Partial<Form> };

export function changePart<Form extends object>(
  draft: PartDraft<Form> | undefined,
  stored: Form,
  part: Partial<Form>,
): PartDraft<Form> | undefined {
  const names = Object.keys(part) as (keyof Form)[];
  const all = { changed: { ...draft?.changed, ...part }, base: { ...pick(stored, names), ...draft?.base } };
  // What is again as it was is changed by nobody here.
  const kept = (Object.keys(all.changed) as (keyof Form)[]).filter((name) =>
    differs(all.changed[name], all.base[name]),
  );
  return kept.length > 0 ? { changed: pick(all.changed, kept), base: pick(all.base, kept) } : undefined;
}

/** What of a form as it stands is not as it is stored. Of what was changed `before`, it stays known what stood there then. */
export function toPartDraft<Form extends object>(
  before: PartDraft<Form> | undefined,
  stored: Form,
  form: Partial<Form>,
): PartDraft<Form> | undefined {
  const names = (Object.keys(form) as (keyof Form)[]).filter((name) => differs(form[name], stored[name]));
  const base = { ...stored, ...before?.base };
  return names.length > 0 ? { changed: pick(form, names), base: pick(base, names) } : undefined;
}

/** What nobody has changed here is as it is stored by now. */
export function withPart<Form extends object>(stored: Form, draft: PartDraft<Form> | undefined): Form {
  return { ...stored, ...draft?.changed };
}

/** Whether somebody else has changed meanwhile what is changed here, to something else. */
export function isOvertaken<Form extends object>(stored: Form, { changed, base }: PartDraft<Form>): boolean {
  return (Object.keys(base) as (keyof Form)[]).some(
    (name) => differs(stored[name], base[name]) && differs(stored[name], changed[name]),
  );
}

function pick<Form extends object>(form: Partial<Form>, names: readonly (keyof Form)[]): Partial<Form> {
  return Object.fromEntries(names.map((name) => [name, form[name]])) as Partial<Form>;
}

function differs(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}
