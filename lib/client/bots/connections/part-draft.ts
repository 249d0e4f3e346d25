/** What somebody has changed of a form, and what stood there when they began to. */
export type PartDraft<Form extends object> = { changed: Partial<Form>; base: Partial<Form> };

export function changePart<Form extends object>(
  draft: PartDraft<Form> | undefined,
  stored: Form,
  part: Partial<Form>,
): PartDraft<Form> {
  const names = Object.keys(part) as (keyof Form)[];
  const began = Object.fromEntries(names.map((name) => [name, stored[name]])) as Partial<Form>;
  return { changed: { ...draft?.changed, ...part }, base: { ...began, ...draft?.base } };
}

/** What nobody has changed here is as it is stored by now. */
export function withPart<Form extends object>(stored: Form, draft: PartDraft<Form> | undefined): Form {
  return { ...stored, ...draft?.changed };
}

/** Whether somebody else has changed meanwhile what is changed here, to something else. */
export function isOvertaken<Form extends object>(stored: Form, { changed, base }: PartDraft<Form>): boolean {
  const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  return (Object.keys(changed) as (keyof Form)[]).some(
    (name) => differs(stored[name], base[name]) && differs(stored[name], changed[name]),
  );
}
